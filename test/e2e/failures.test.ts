// Every way a run can fail: one clear sentence, the right exit code, partial work kept, nothing shown twice.
import { describe, expect, test } from "bun:test";
import { home, ONCE } from "../support/binary.ts";
import { replayServer, type ReplayTurn } from "../support/replay-server.ts";

describe("what keeps a run from starting ends with 2 and one sentence", () => {
  test.each([
    ["a wrong flag", ["-p", "x", "--modle", "m"], "unknown flag --modle; did you mean --model?"],
    ["a flag without its value", ["-p", "x", "--model"], "--model needs a value"],
    [
      "a value that is none of the known",
      ["-p", "x", "--mode", "yollo"],
      "--mode must be one of standard",
    ],
    ["a mistyped command", ["sesions"], "did you mean sessions?"],
    ["no model", ["-p", "x"], "no model is chosen"],
    ["no key", ["-p", "x", "-m", "openai/gpt"], "OPENAI_API_KEY"],
    ["an unknown provider", ["-p", "x", "--provider", "opnai"], "did you mean openai?"],
    [
      "a URL that is none",
      ["-p", "x", "--base-url", "nowhere", "-m", "m"],
      "is not an http or https URL",
    ],
    ["an unknown session", ["-p", "x", "-r", "nobody"], 'there is no session "nobody"'],
    ["nothing to continue", ["-c", "-p", "x"], "no session of this folder to continue"],
    ["no prompt", ["-p", "--provider", "echo"], "no prompt"],
    ["a rule that is none", ["-p", "x", "--deny", "bash(/[/)"], "not a valid regular expression"],
    ["a missing folder", ["-p", "x", "-C", "nowhere"], "the folder nowhere does not exist"],
    ["a missing settings file", ["-p", "x", "--config", "nowhere.toml"], "cannot be read"],
    ["contradicting flags", ["-p", "x", "--json", "--output", "text"], "contradict each other"],
    ["chat without a terminal", ["hello"], "the chat needs a terminal"],
  ])("%s", async (_name, args, sentence) => {
    using at = home();
    const ran = await at.run(args);
    expect({ code: ran.code, out: ran.out, lines: ran.err.trim().split("\n").length }).toEqual({
      code: 2,
      out: "",
      lines: 1,
    });
    expect(ran.err).toContain(sentence);
  });

  test.each([
    ["model = 3\n", ":1: model must be text, not 3"],
    [
      '\n\n[agent]\nmax_rounds = "many"\n',
      ':4: agent.max_rounds must be a whole number, not "many"',
    ],
    ["mode = \n", ":1: not valid TOML"],
    ['[permissions]\ndeny = "bash"\n', ':2: permissions.deny must be a list of texts, not "bash"'],
  ])("settings %j", async (text, sentence) => {
    using at = home();
    await Bun.write(`${at.path}/.config/burin/config.toml`, text);
    const ran = await at.run(["-p", "x", "--provider", "echo"]);
    expect({ code: ran.code, out: ran.out, said: ran.err.includes(sentence) }).toEqual({
      code: 2,
      out: "",
      said: true,
    });
  });
});

const WORDS = [{ text: "half " }, { text: "an " }, { text: "answer" }];

describe("what fails on the way ends with 1, and keeps what there was", () => {
  test.each<[string, ReplayTurn, RegExp, string]>([
    ["401", { status: 401, body: '{"error":{"message":"bad key"}}' }, /key/, ""],
    [
      "404 for the model",
      {
        status: 404,
        body: '{"error":{"message":"The model m does not exist","code":"model_not_found"}}',
      },
      /model/,
      "",
    ],
    ["500", { status: 500, body: "oops" }, /500/, ""],
    [
      "an HTML page",
      { headers: { "content-type": "text/html" }, body: "<html><body>Sign in</body></html>" },
      /HTML|web page/i,
      "",
    ],
    [
      "an error in a 200 body",
      {
        headers: { "content-type": "application/json" },
        body: '{"error":{"message":"overloaded"}}',
      },
      /overloaded/,
      "",
    ],
    [
      "a cut stream",
      { steps: WORDS, fault: { at: 50, kind: "cut" } },
      /before the reply was complete/,
      "",
    ],
    [
      "no closing event",
      { steps: WORDS, finish: null, done: false },
      /without its end|end/,
      "half an answer",
    ],
    [
      "an error frame mid-stream",
      {
        body: `data: {"choices":[{"index":0,"delta":{"content":"half "}}]}\n\ndata: {"error":{"message":"the engine died"}}\n\n`,
      },
      /the engine died/,
      "half ",
    ],
    ["an empty reply", { steps: [] }, /empty/, ""],
  ])("%s", async (_name, turn, sentence, kept) => {
    using at = home();
    await using server = await replayServer([turn]);
    const ran = await at.run([
      "-p",
      "x",
      "--base-url",
      server.url,
      "-m",
      "m",
      "--json",
      "--name",
      "n",
      ...ONCE,
    ]);
    const report = JSON.parse(ran.out);
    expect({ code: ran.code, exit: report.exit, status: report.status }).toEqual({
      code: 1,
      exit: 1,
      status: "error",
    });
    expect(report.error).toMatch(sentence);
    expect(report.result.startsWith(kept)).toBe(true);
    const lastLine = ran.err.trim().split("\n").at(-1) ?? "";
    expect(lastLine).toMatch(sentence);
    expect(ran.err.split(report.error).length).toBe(2);
    const events = (await at.run(["show", "n", "--json"])).out;
    expect(events).toContain('"status":"error"');
    expect(server.requests.length).toBe(1);
  });

  test("a stream that is cut after text was shown keeps that text, once", async () => {
    using at = home();
    const server = await replayServer([{ steps: WORDS, fault: { at: 500, kind: "stall" } }]);
    const flags = ["--base-url", server.url, "-m", "m", "--output", "stream-json", "--name", "n"];
    const child = at.start(["-p", "x", ...flags, ...ONCE]);
    let out = "";
    for await (const bytes of child.stdout) {
      out += Buffer.from(bytes).toString();
      // Only now, with text on the screen, the server goes away.
      if (out.includes("half ")) await server[Symbol.asyncDispose]();
    }
    const lines = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const shown = lines.flatMap(({ type, text }) => (type === "text" ? text : [])).join("");
    expect({ code: await child.exited, last: lines.at(-1).status }).toEqual({
      code: 1,
      last: "error",
    });
    expect("half an answer".startsWith(shown) && shown.startsWith("half ")).toBe(true);
    expect(lines.at(-1).result).toBe(shown);
    expect((await at.run(["show", "n"])).out).toContain(shown);
  });

  test("an unreachable server", async () => {
    using at = home();
    const ran = await at.run([
      "-p",
      "x",
      "--base-url",
      "http://127.0.0.1:1/v1",
      "-m",
      "m",
      "--quiet",
      ...ONCE,
    ]);
    expect(ran).toEqual({
      code: 1,
      out: "",
      err: expect.stringMatching(/^burin: 127\.0\.0\.1:1 refused the connection.*\n$/),
    });
  });

  test("a call cut by the output limit is not run", async () => {
    using at = home();
    const call = { id: "w", name: "write", arguments: '{"path":"a.txt","content":"hal' };
    await using server = await replayServer([{ steps: [{ call }], finish: "length" }]);
    const ran = await at.run(["-p", "x", "--base-url", server.url, "-m", "m"]);
    expect(ran.code).toBe(1);
    expect(await Bun.file(`${at.path}/a.txt`).exists()).toBe(false);
  });
});

describe("limits and policy", () => {
  const calling: ReplayTurn = {
    steps: [{ call: { id: "c", name: "bash", arguments: '{"command":"echo x"}' } }],
  };

  test("the rounds' limit ends with 3", async () => {
    using at = home();
    await using server = await replayServer([calling, calling]);
    const ran = await at.run(["-p", "x", "--base-url", server.url, "-m", "m", "--max-rounds", "2"]);
    expect({ code: ran.code, said: ran.err.includes("rounds (2)") }).toEqual({
      code: 3,
      said: true,
    });
  });

  test("a model that only asks for what is denied ends with 4, and the denials are listed", async () => {
    using at = home();
    await using server = await replayServer([calling, calling, calling]);
    const ran = await at.run(["-p", "x", "--base-url", server.url, "-m", "m", "--deny", "bash"]);
    expect({
      code: ran.code,
      said: ran.err.includes("denied: bash echo x: the rule deny bash forbids it"),
    }).toEqual({
      code: 4,
      said: true,
    });
  });

  test("a deny rule holds in yolo mode too", async () => {
    using at = home();
    const call = { id: "c", name: "bash", arguments: '{"command":"true && touch owned"}' };
    await using server = await replayServer([{ steps: [{ call }] }, { steps: [{ text: "ok" }] }]);
    const flags = ["--mode", "yolo", "--allow", "bash", "--deny", "bash(touch *)"];
    const ran = await at.run(["-p", "x", "--base-url", server.url, "-m", "m", ...flags]);
    expect({ code: ran.code, owned: await Bun.file(`${at.path}/owned`).exists() }).toEqual({
      code: 0,
      owned: false,
    });
  });

  test("what cannot be undone is refused where nobody can be asked", async () => {
    using at = home();
    await Bun.write(`${at.path}/keep/file`, "x");
    const call = { id: "c", name: "bash", arguments: '{"command":"rm -rf keep"}' };
    await using server = await replayServer([{ steps: [{ call }] }, { steps: [{ text: "ok" }] }]);
    const ran = await at.run(["-p", "x", "--base-url", server.url, "-m", "m", "--mode", "yolo"]);
    expect({ code: ran.code, kept: await Bun.file(`${at.path}/keep/file`).exists() }).toEqual({
      code: 0,
      kept: true,
    });
  });
});
