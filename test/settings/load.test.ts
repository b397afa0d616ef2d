// Settings: which source wins, what is an error and where, and what --setting can and cannot say.
import { describe, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { sentence } from "../../src/base/failure.ts";
import { loadSettings, type Loaded, type Sources } from "../../src/settings/load.ts";
import { tempTree } from "../support/temp-tree.ts";
import { unless } from "../support/unless.ts";

function load(sources: Partial<Sources>): Loaded {
  const loaded = loadSettings({ userFile: null, namedFile: null, pairs: [], ...sources });
  if (!loaded.ok) throw new Error(sentence(loaded.failure));
  return loaded.value;
}

function why(sources: Partial<Sources>): string {
  const loaded = loadSettings({ userFile: null, namedFile: null, pairs: [], ...sources });
  return loaded.ok ? "fine" : sentence(loaded.failure);
}

/** What is said of a file with this content, its path as FILE. */
function whyOf(text: string, name = "c.toml"): string {
  using tree = tempTree({ [name]: text });
  return why({ userFile: tree.path(name) }).replaceAll(tree.path(name), "FILE");
}

function warningsOf(text: string): string[] {
  using tree = tempTree({ "c.toml": text });
  const { warnings } = load({ userFile: tree.path("c.toml") });
  return warnings.map((line) => line.replaceAll(tree.path("c.toml"), "FILE"));
}

describe("sources", () => {
  test("without any there is nothing", () => {
    expect(load({ userFile: "/nowhere/config.toml" })).toEqual({ settings: {}, warnings: [] });
  });

  test("the later one wins, tables are merged, rules are appended", () => {
    using tree = tempTree({
      "user.toml": 'model = "a/b"\n[agent]\nmax_rounds = 1\n[permissions]\ndeny = ["bash(x)"]',
      "named.toml": '[agent]\nmax_rounds = 2\n[permissions]\ndeny = ["bash(y)"]',
    });
    const pairs = ["agent.max_headless_rounds=7", "permissions.deny=['bash(z)']"];
    expect(
      load({ userFile: tree.path("user.toml"), namedFile: tree.path("named.toml"), pairs }),
    ).toEqual({
      settings: {
        model: "a/b",
        agent: { max_rounds: 2, max_headless_rounds: 7 },
        permissions: { deny: ["bash(x)", "bash(y)", "bash(z)"] },
      },
      warnings: [],
    });
  });

  test("JSON and YAML are read by their ending", () => {
    using tree = tempTree({ "c.json": '{"model":"a"}', "c.yaml": "mode: yolo\n" });
    expect(
      load({ userFile: tree.path("c.json"), namedFile: tree.path("c.yaml") }).settings,
    ).toEqual({
      model: "a",
      mode: "yolo",
    });
  });

  test("a named file must be there, and a user file that cannot be read is not passed over", () => {
    expect(why({ namedFile: "/nowhere/c.toml" })).toStartWith(
      "the config file /nowhere/c.toml cannot be read (",
    );
    expect(why({ namedFile: "/nowhere/c.toml" })).toEndWith(
      "): correct what --config or BURIN_CONFIG names",
    );
    using tree = tempTree({ "folder/": "" });
    expect(why({ userFile: tree.path("folder") })).toContain("cannot be read");
  });

  unless(process.getuid?.() === 0 && "root may read every file")(
    "a user file without read rights stops the start",
    () => {
      using tree = tempTree({ "c.toml": "" });
      chmodSync(tree.path("c.toml"), 0);
      expect(why({ userFile: tree.path("c.toml") })).toContain("cannot be read");
    },
  );
});

describe("errors name the place", () => {
  test.each([
    ["a = 1\n[agent\nb = 2", "FILE:2: not valid TOML"],
    ["a = 1\na = 2", "FILE:2: not valid TOML"],
    [
      "mode = 3",
      'FILE:1: mode must be "standard", "restrictive", "readonly", "planwrite", "guarded", "yolo", not 3',
    ],
    ['\n[agent]\nmax_rounds = "x"', 'FILE:3: agent.max_rounds must be a whole number, not "x"'],
    ["[agent]\nmax_rounds = 0", "FILE:2: agent.max_rounds must be at least 1, not 0"],
    ['agent = "x"', 'FILE:1: agent must be a table, not "x"'],
    ['agent.max_rounds = "x"', 'FILE:1: agent.max_rounds must be a whole number, not "x"'],
    [
      '[providers.a]\nauth = "none"\n[providers.b]\nauth = "x"',
      'FILE:4: providers.b.auth must be "auto", "required" or "none", not "x"',
    ],
    [
      '[providers."a+b("]\nbase_url = "x"',
      'FILE:2: providers.a+b(.base_url must be a URL such as http://127.0.0.1:8080/v1, not "x"',
    ],
    ["[permissions]\nallow = [\n'a',\n1]", "FILE:2: permissions.allow.1 must be text, not 1"],
    ["schema_version = 2", "FILE:1: schema_version must be 1, the only version so far, not 2"],
  ])("%j", (text, said) => {
    expect(whyOf(text)).toStartWith(said);
  });

  test("a JSON file is not called TOML", () => {
    expect(whyOf('{"a":', "c.json")).toStartWith("FILE: not valid JSON");
    expect(whyOf("[1]", "c.json")).toBe("FILE holds no table of settings");
  });
});

test("every key of the schema is known, and no other", () => {
  const text = [
    'schema_version = 1\nmodel = "a/b"\nmode = "standard"\nsession.dir = "d"',
    "[agent]\nmax_rounds = 1\nmax_headless_rounds = 1",
    "[permissions]\nallow = []\nask = []\ndeny = []",
    '[headless]\nask = "deny"',
    '[providers.x]\nbase_url = "http://h"\napi_key_env = "K"\nauth = "auto"\nwire = "openai-chat"\ntransport = "auto"\nvoice = 1',
    '[models]\nfallback = ["a/b"]\nretry = { base_ms = 1, tries = 0, budget_s = 9 }',
    '[models."a/b"]\ncontext = 9\nretry = 1',
  ].join("\n");
  expect(warningsOf(text)).toEqual([
    "FILE:20: unknown key providers.x.voice: it is ignored",
    "FILE:26: unknown key models.a/b.retry: it is ignored",
  ]);
});

test("a file that is not there is missing, one that cannot be read is broken", () => {
  using tree = tempTree({ "folder/": "" });
  const kinds = ["gone", "folder"].map((name) => {
    const loaded = loadSettings({ userFile: null, namedFile: tree.path(name), pairs: [] });
    return loaded.ok ? "fine" : loaded.failure.kind;
  });
  expect(kinds).toEqual(["missing", "broken"]);
});

test("unknown keys are told with the nearest known one", () => {
  const text =
    'modle = "x"\n[agent]\nmax_round = 1\n[constructor]\na = 1\n[providers.x]\nbase_ur = "y"\n[toString]\n[tools.bash]\ntimout_s = 1\nenv = { A = "any" }';
  expect(warningsOf(text)).toEqual([
    "FILE:1: unknown key modle (did you mean model?): it is ignored",
    "FILE:3: unknown key agent.max_round (did you mean max_rounds?): it is ignored",
    "FILE:4: unknown key constructor: it is ignored",
    "FILE:7: unknown key providers.x.base_ur (did you mean base_url?): it is ignored",
    "FILE:8: unknown key toString: it is ignored",
    "FILE:10: unknown key tools.bash.timout_s (did you mean timeout_s?): it is ignored",
  ]);
});

test("an unknown key among the permissions stops the start: it may have been meant to forbid", () => {
  expect([
    whyOf('[permissions]\ndeyn = ["bash"]'),
    why({ pairs: ["permissions.denny=['x']"] }),
  ]).toEqual([
    "FILE:2: unknown key permissions.deyn (did you mean deny?): correct it",
    "--setting permissions.denny=['x']: unknown key permissions.denny (did you mean deny?): correct it",
  ]);
});

describe("for a command that only looks", () => {
  const lenient = (text: string): unknown => {
    using tree = tempTree({ "c.toml": text });
    const { settings, warnings } = load({ userFile: tree.path("c.toml"), needed: "session" });
    const told = warnings.map(
      (line) => line.replaceAll(tree.path("c.toml"), "FILE").split(" (")[0],
    );
    return { settings, told };
  };

  test("a bad value is told, and the rest holds", () => {
    expect(
      lenient('mode = 3\n[session]\ndir = "d"\n[agent]\nmax_rounds = 0\n[permissions]\ndeyn = []'),
    ).toEqual({
      settings: { session: { dir: "d" }, permissions: {} },
      told: [
        expect.stringMatching(/^FILE:1: mode must be/),
        "FILE:5: agent.max_rounds must be at least 1, not 0",
        "FILE:7: unknown key permissions.deyn",
      ],
    });
  });

  test("what it needs must be right", () => {
    using tree = tempTree({ "c.toml": "session = 1" });
    expect(why({ userFile: tree.path("c.toml"), needed: "session" })).toContain("session must be");
  });

  test("a file that cannot be parsed is passed over", () => {
    expect(lenient("a = [")).toEqual({ settings: {}, told: ["FILE:1: not valid TOML"] });
  });
});

describe("--setting", () => {
  test.each<[string, Loaded["settings"]]>([
    ["model=a/b:high", { model: "a/b:high" }],
    ["model='a'", { model: "a" }],
    ["model = x = y", { model: "x = y" }],
    ["agent.max_rounds=10", { agent: { max_rounds: 10 } }],
    ["permissions.allow=['bash(a)']", { permissions: { allow: ["bash(a)"] } }],
    ['headless={ask="deny"}', { headless: { ask: "deny" } }],
  ])("%s", (pair, settings) => {
    expect(load({ pairs: [pair] })).toEqual({ settings, warnings: [] });
  });

  test.each([
    "model=1\nmode='yolo'",
    "model='a'\n[permissions]\nallow=['bash']",
    "model=a\r\nmode='yolo'",
    "model=a\rmode='yolo'",
  ])("a value cannot speak of other keys: %j", (pair) => {
    const value = pair.slice("model=".length);
    expect(load({ pairs: [pair] }).settings).toEqual({ model: value });
  });

  test.each(["", "=x", "model", "a b=1", "a\nb=1", "[x]=1", "'a'=1"])("%j is no pair", (pair) => {
    expect(why({ pairs: [pair] })).toBe(
      `--setting ${pair} is not KEY=VALUE, such as agent.max_rounds=10`,
    );
  });

  test.each(["a..b=1", ".=1", "a.=1"])("%j is no key", (pair) => {
    expect(why({ pairs: [pair] })).toStartWith(`--setting ${pair}`);
  });

  test("a wrong value and an unknown key are told like those of a file", () => {
    expect(why({ pairs: ["agent.max_rounds=x"] })).toBe(
      '--setting agent.max_rounds=x: agent.max_rounds must be a whole number, not "x"',
    );
    expect(load({ pairs: ["agent.max_round=1"] }).warnings).toEqual([
      "--setting agent.max_round=1: unknown key agent.max_round (did you mean max_rounds?): it is ignored",
    ]);
  });

  test("a key that is a property of every object changes nothing", () => {
    const { settings } = load({
      pairs: ["__proto__.mode='yolo'", "constructor.prototype.mode='yolo'"],
    });
    expect(settings).toEqual({});
    expect(settings.mode).toBeUndefined();
    expect(Object.hasOwn(Object.prototype, "mode")).toBe(false);
  });
});
