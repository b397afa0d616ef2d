// `bun run check`: every gate, without the tests.
import { runGates } from "./gates.ts";

const outcomes = await runGates();
process.exit(outcomes.every((outcome) => outcome.passed) ? 0 : 1);
