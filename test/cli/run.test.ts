// Whole runs from the command line: where sessions lie, what commands see, and what is refused before anything starts.
import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { tempTree } from "../support/temp-tree.ts";
import { burin } from "./source.ts";

const CONFIG = "home/.config/burin/config.toml";
const ECHO = ["-p", "hi", "--provider", "echo"];

/** Names of the sessions that `burin sessions` lists. */
function listed(...given: Parameters<typeof burin>): unknown {
  const [tree, args, how] = given;
  const ran = burin(tree, ["sessions", "--json", ...args], how);
  const rows: { name: string }[] = JSON.parse(ran.out);
  return rows.map(({ name }) => name);
}

function files(folder: string): string[] {
  return [...new Bun.Glob("**/*").scanSync({ cwd: folder, dot: true })];
}

describe("keys", () => {
  const settings = '[providers.mine]\nbase_url = "http://127.0.0.1:1/v1"\napi_key_env = "MINE"\n';
  const env = {
    BURIN_API_KEY: "k-hidden",
    VLLM_API_KEY: "k-hidden",
    MINE: "k-hidden",
    OTHER: "seen",
  };

  test("are not seen by a command of burin tool", () => {
    using tree = tempTree({ "project/": "", [CONFIG]: settings });
    const { out } = burin(tree, ["tool", "bash", "--", "env"], { env });
    expect([out.includes("OTHER=seen"), out.includes("k-hidden")]).toEqual([true, false]);
  });

  test("are not seen by a command of a run", () => {
    const turn = { steps: [{ tool: "bash", args: { command: "env" } }] };
    using tree = tempTree({
      "project/": "",
      [CONFIG]: settings,
      "script.json": JSON.stringify({ turns: [turn, { steps: [{ text: "done" }] }] }),
    });
    const script = ["--provider", `script:${tree.path("script.json")}`];
    burin(tree, ["-p", "x", "--mode", "yolo", "--name", "s", ...script], { env });
    const { out } = burin(tree, ["show", "s", "--json"]);
    expect([out.includes("OTHER=seen"), out.includes("k-hidden")]).toEqual([true, false]);
  });
});

describe("sessions are looked for where the run wrote them", () => {
  test("in the folder of the settings", () => {
    using tree = tempTree({ "project/": "", [CONFIG]: '[session]\ndir = "~/kept"\n' });
    expect(burin(tree, [...ECHO, "--name", "one"]).code).toBe(0);
    expect(files(tree.path("home/kept")).length).toBe(1);
    expect(listed(tree, [])).toEqual(["one"]);
    expect(burin(tree, ["show", "one"]).code).toBe(0);
  });

  test("behind a link to the folder", () => {
    using tree = tempTree({ "project/": "", "far/": "", "home/": "" });
    symlinkSync(tree.path("far"), tree.path("project/link"));
    expect(burin(tree, [...ECHO, "--name", "one", "-C", "link"]).code).toBe(0);
    expect([listed(tree, ["-C", "link"]), listed(tree, ["-C", "../far"])]).toEqual([
      ["one"],
      ["one"],
    ]);
  });

  test("and settings that cannot be read are told", () => {
    using tree = tempTree({ "project/": "", [CONFIG]: "session = 1\n" });
    const said = `burin: ${tree.path(CONFIG)}:1: session must be a table, not 1\n`;
    const ran = [burin(tree, ["sessions"]), burin(tree, ["show", "x"])];
    expect(ran).toEqual([
      { code: 2, out: "", err: said },
      { code: 2, out: "", err: said },
    ]);
  });
});

describe("without HOME ~ is the home folder that the system knows", () => {
  const ask = 'console.log(require("node:os").homedir())';
  const known = Bun.spawnSync([process.execPath, "-e", ask], { env: {} }).stdout.toString().trim();

  test("for tools", () => {
    using tree = tempTree({ "project/": "" });
    const { out } = burin(tree, ["tool", "ls", "~/no-such-folder"], { env: { HOME: undefined } });
    expect(out).toContain(`${known}/no-such-folder`);
  });

  test("for rules that forbid", () => {
    const read = { steps: [{ tool: "read", args: { path: `${known}/no-such-file` } }] };
    using tree = tempTree({
      "project/": "",
      "script.json": JSON.stringify({ turns: [read, { steps: [{ text: "done" }] }] }),
    });
    const flags = ["--mode", "yolo", "--no-session", "--deny", "read(~/no-such-file)"];
    const script = ["--provider", `script:${tree.path("script.json")}`];
    const env = { HOME: undefined, BURIN_HOME: tree.path("burin") };
    const { out } = burin(tree, ["-p", "x", "--json", ...flags, ...script], { env });
    expect(JSON.parse(out).denied.length).toBe(1);
  });
});

describe("a prompt too long for the model", () => {
  // The catalogue's gpt-4 holds 8192 tokens.
  const small = ["-m", "openai/gpt-4", "--base-url", "http://127.0.0.1:1/v1"];
  const prompt = "word ".repeat(10_000);

  test("is refused and leaves nothing behind", () => {
    using tree = tempTree({ "project/": "", "home/": "" });
    const ran = burin(tree, ["-p", "--provider", "openai", ...small], { stdin: prompt });
    expect([ran.code, ran.err.includes("the window of this model holds 8192")]).toEqual([2, true]);
    expect(files(tree.path("home")).filter((name) => name.includes("burin"))).toEqual([]);
  });

  test("is measured by the model of the session that goes on", () => {
    using tree = tempTree({ "project/": "", [CONFIG]: 'model = "openai/gpt-4"\n' });
    const env = { OPENAI_API_KEY: "k" };
    expect(burin(tree, [...ECHO, "--name", "one"], { env }).code).toBe(0);
    const ran = burin(tree, ["-p", "-c"], { env, stdin: prompt });
    expect({ code: ran.code, isEcho: ran.out.startsWith("word word") }).toEqual({
      code: 0,
      isEcho: true,
    });
  });
});

describe("refused in one sentence with exit code 2", () => {
  test.each<[string[], string]>([
    [
      ["debug", "decode", "--wire", "openai-chat", "--status", "99999", "."],
      "--status must be an HTTP status, 100 to 599, not 99999",
    ],
    [["debug", "decode", "--wire", "openai-chat", "."], ". is a folder: give a file of bytes"],
    [["debug", "decode", "--wire", "openai-chat", "gone"], "gone cannot be read (ENOENT"],
    [["--system-prompt", "a", "--system-prompt-file", "b"], "give one of --system-prompt and"],
    [["--json"], "--json is for a run with -p"],
    [["--output", "text"], "--output is for a run with -p"],
    [["--stdin"], "--stdin is for a run with -p"],
    [["--no-stdin"], "--no-stdin is for a run with -p"],
    [["--quiet"], "--quiet is for a run with -p"],
    [["tool", "grep", "x", "--raw", "--json"], "--raw and --json contradict each other"],
    [["hello"], "the chat needs a terminal that can move its cursor"],
  ])("%j", (args, said) => {
    using tree = tempTree({ "project/": "", "home/": "" });
    const { code, out, err } = burin(tree, args);
    expect({
      code,
      out,
      said: err.startsWith(`burin: ${said}`),
      lines: err.split("\n").length,
    }).toEqual({ code: 2, out: "", said: true, lines: 2 });
  });

  test("a demo without a folder for scratch files", () => {
    using tree = tempTree({ "project/": "", "home/": "" });
    const { code, err } = burin(tree, ["demo"], { env: { TMPDIR: tree.path("gone") } });
    expect({
      code,
      said: err.startsWith("burin: the scratch repository could not be made in "),
    }).toEqual({ code: 2, said: true });
  });
});

describe("what a person mistypes", () => {
  const said = (args: string[], config = ""): string => {
    using tree = tempTree({ "project/": "", [CONFIG]: config });
    return burin(tree, args).err.replaceAll(tree.path(CONFIG), "CONFIG");
  };

  test.each([
    [
      ["--session-dir", "D", "sessions"],
      "burin: the command comes first: burin sessions --session-dir D (as",
    ],
    [["-C", "d", "tool", "ls"], "burin: the command comes first: burin tool ls -C d (as"],
    [["--hlep"], "burin: unknown flag --hlep; did you mean --help?"],
    [["debug"], "burin: burin debug needs to know what: burin debug decode\n"],
    [
      ["-p", "hi", "-m", "foo"],
      "burin: which provider has the model foo? Say -m PROVIDER/foo (known: ",
    ],
    [["-p", "hi", "--provider", "nosuch"], 'burin: there is no provider "nosuch"'],
    [["tool", "ls", "a", "b"], "burin: too many words for ls: the form is burin tool ls [PATH]\n"],
    [["tool", "read", "a", "--path", "b"], "burin: path is given twice, as a word and as a flag: "],
    [["tool", "read", "a", "--limit", "x"], 'burin: --limit must be a number, not "x"\n'],
    [["tool", "edit", "a", "--edits", "garbage"], "burin: --edits is not valid JSON ("],
  ])("%j", (args, sentence) => {
    expect(said(args)).toStartWith(sentence);
  });

  test("providers that need no network are among the known ones", () => {
    expect(said(["-p", "hi", "--provider", "nosuch"])).toContain("demo, echo, script:FILE");
  });

  test("a rule of the file is named with its line", () => {
    const config = '[permissions]\ndeny = [\n  "bash(/(/)",\n]\n';
    expect(said(ECHO, config)).toStartWith(
      "burin: CONFIG:3: the pattern of the deny rule bash(/(/)",
    );
  });

  test("a bad value that sessions do not need is only told there", () => {
    const config = 'mode = 3\n[permissions]\ndeyn = ["bash"]\n';
    using tree = tempTree({ "project/": "", [CONFIG]: config });
    const ran = burin(tree, ["sessions"]);
    expect([ran.code, ran.out, ran.err.includes(":1: mode must be")]).toEqual([
      0,
      "no sessions of this folder yet\n",
      true,
    ]);
    expect(burin(tree, ECHO).code).toBe(2);
  });
});

test("help before a command is the help of that command", () => {
  using tree = tempTree({ "project/": "" });
  const forms = [
    ["tool", "grep", "--help"],
    ["--help", "tool", "grep"],
    ["help", "tool", "grep"],
  ];
  const [own, ...others] = forms.map((args) => burin(tree, args).out);
  expect(own).toStartWith("burin tool grep: ");
  expect(others).toEqual([own ?? "", own ?? ""]);
});

describe("plain words of burin tool", () => {
  const TREE = {
    "project/a.txt": "hi there\n",
    "project/b.txt": "hi\n",
    "project/sub/c.txt": "hi\n",
  };

  test.each([
    [["grep", "hi", "a.txt"], "a.txt:1:hi there\n"],
    [["grep", "hi", "b.txt", "sub"], "b.txt:1:hi\nsub/c.txt:1:hi\n"],
    [["find", "*.txt", "sub"], "sub/c.txt\n"],
    [["read", "b.txt", "sub/c.txt"], "== b.txt ==\n1\thi\n\n== sub/c.txt ==\n1\thi\n"],
  ])("%j", (words, shown) => {
    using tree = tempTree(TREE);
    expect(burin(tree, ["tool", ...words]).out).toBe(shown);
  });

  test("a command's words reach it as they are, and one word is a command line", () => {
    using tree = tempTree(TREE);
    const out = (...words: string[]): string => burin(tree, ["tool", "bash", "--", ...words]).out;
    expect(out("printf", "[%s]", "a  b", "c;d", "it's")).toStartWith("[a  b][c;d][it's]");
    expect(out("printf a | tr a b")).toStartWith("b");
  });
});

test("sessions cuts nothing where its output is no terminal, and a name with a slash is found", () => {
  using tree = tempTree({ "project/": "" });
  const name = `feature/${"long-".repeat(10)}name`;
  burin(tree, [...ECHO, "--name", name]);
  expect(burin(tree, ["sessions"]).out).toContain(` ${name} `);
  expect(burin(tree, ["show", name]).out).toStartWith(`session ${name}\n`);
  const again = burin(tree, ["resume", name, "-p", "more", "--json"]);
  expect(JSON.parse(again.out)).toMatchObject({ name, result: "more" });
});

test("a run that is not recorded names no session, and a model of one word is said once", () => {
  using tree = tempTree({ "project/": "" });
  const { out, err } = burin(tree, [...ECHO, "--no-session", "--json"]);
  expect(JSON.parse(out)).toMatchObject({ session: null, model: "echo" });
  expect(err).toContain("not recorded");
});

test("a script is chosen by -m as well, by any path", () => {
  using tree = tempTree({ "project/": "", "s.json": '{"turns":[{"steps":[{"text":"played"}]}]}' });
  expect(burin(tree, ["-p", "hi", "-m", "script:../s.json"]).out).toBe("played\n");
});
