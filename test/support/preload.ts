// Before every test file: HOME and XDG point at a scratch folder, and no variable of the developer leaks in but BURIN_BIN, the binary under test.
import { mkdtempSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const home = mkdtempSync(join(tmpdir(), "burin-test-home-"));
mkdirSync(join(home, "tmp"));
for (const name of Object.keys(process.env)) {
  if (/^(BURIN_(?!BIN$)|XDG_|OPENAI_|ANTHROPIC_|GEMINI_)/.test(name)) delete process.env[name];
}
process.env["HOME"] = home;
