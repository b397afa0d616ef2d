// A reply that breaks off on the way, through the whole program: exit 1, one sentence, nothing said twice.
import { describe, expect, test } from "bun:test";
import { home, ONCE } from "../support/binary.ts";
import { chatBody, replayServer, type ReplayTurn } from "../support/replay-server.ts";

const TEXT = "one two three";
const TURN: ReplayTurn = { steps: [{ text: "one " }, { text: "two " }, { text: "three" }] };
const POINTS = 10;
/** Where the reason to stop has come, the reply is whole. */
const END = Buffer.from(chatBody(TURN)).indexOf('"finish_reason"');
const POSITIONS = Array.from({ length: POINTS }, (_, at) => Math.floor((END * at) / POINTS) + at);

describe.each(["cut", "reset", "garble"] as const)("a stream that ends in a %s", (kind) => {
  test.each(POSITIONS)("after %d bytes", async (at) => {
    using place = home();
    await using server = await replayServer([{ ...TURN, fault: { at, kind } }]);
    const flags = ["--base-url", server.url, "-m", "m", "--name", "n"];
    const ran = await place.run(["-p", "x", "--quiet", ...flags, ...ONCE]);
    expect({ code: ran.code, lines: ran.err.trim().split("\n").length }).toEqual({
      code: 1,
      lines: 1,
    });
    expect(ran.err).toMatch(/^burin: .+\n$/);
    const said = ran.out.trimEnd();
    expect(TEXT.startsWith(said)).toBe(true);
    expect(server.requests.length).toBe(1);
    const shown = await place.run(["show", "n"]);
    expect(shown.out).toContain("turn ended: error");
    if (said !== "") expect(shown.out.split(said).length).toBe(2);
  });
});
