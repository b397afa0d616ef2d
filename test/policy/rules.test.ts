// Rules: how they are read, which paths, servers and groups they speak of, and that an offer is no wider than the call.
import { describe, expect, test } from "bun:test";
import { parseRule } from "../../src/policy/rules.ts";
import type { Touch } from "../../src/policy/touch.ts";
import { decide } from "../../src/policy/verdict.ts";
import { forSeeds } from "../support/random.ts";
import { outcome, policy, read, rule, run, write, type Wish } from "./policy-kit.ts";

function judge(touch: Touch, wish: Wish, tool = "edit"): string {
  return outcome(decide(tool, [touch], policy(wish)));
}

describe("reading a rule", () => {
  test.each(["", "(x)", "bash(", "bash)x", "bash(x) y", "ba sh", "1bash", "/x/"])(
    "%j is none",
    (text) => {
      expect(parseRule("deny", text)).toEqual({
        ok: false,
        failure: {
          kind: "invalid",
          what: `the deny rule ${JSON.stringify(text)} is not of the form tool or tool(pattern), such as bash(npm test)`,
        },
      });
    },
  );

  test.each(["allow", "ask", "deny"] as const)(
    "a broken regular expression in %s is an error",
    (decision) => {
      expect(parseRule(decision, "bash(/(/)")).toEqual({
        ok: false,
        failure: {
          kind: "invalid",
          what: `the pattern of the ${decision} rule bash(/(/) is not a valid regular expression: correct it or remove the rule`,
        },
      });
    },
  );
});

describe("paths", () => {
  test.each([
    ["*.ts", "/w/a.ts", true],
    ["*.ts", "/w/src/a.ts", false],
    ["**/*.ts", "/w/a.ts", true],
    ["**/*.ts", "/w/src/x/a.ts", true],
    ["src/**", "/w/src/x/a.ts", true],
    ["src/**", "/w/src", true],
    ["src/", "/w/src/a", true],
    ["src/*/", "/w/src/a/b", true],
    ["src/**", "/w/srcx/a", false],
    ["./src/?.ts", "/w/src/a.ts", true],
    ["src/?.ts", "/w/src/ab.ts", false],
    ["/w/src/*", "/w/src/a", true],
    ["/etc/**", "/etc/x/y", true],
    ["a.b", "/w/aXb", false],
    ["a\\*b", "/w/a*b", true],
    ["a\\*b", "/w/axb", false],
    ["/secrets?/", "/w/my/secret/x", true],
    [".", "/w", true],
    ["**", "/etc/x", true],
  ])("write(%s) and %s: %p", (pattern, path, holds) => {
    expect(judge(write(path), { deny: [`write(${pattern})`], mode: "yolo" }) === "deny").toBe(
      holds,
    );
    expect(judge(write(path), { allow: [`write(${pattern})`] }) === "allow").toBe(holds);
  });

  test("a link out of an allowed folder is not allowed, and one into a forbidden folder is forbidden", () => {
    const links = { "/w/src/a": "/etc/passwd", "/w/b": "/w/secret/x" };
    expect(judge(write("/w/src/a"), { links, allow: ["write(src/**)"] })).toBe("ask");
    expect(judge(read("/w/src/a"), { links })).toBe("ask");
    expect(judge(write("/w/b"), { links, allow: ["write"], deny: ["write(secret/**)"] })).toBe(
      "deny",
    );
    expect(judge(write("/w/src/a"), { links, mode: "yolo", deny: ["write(src/**)"] })).toBe("deny");
  });

  test("groups speak of every tool that reads or writes, a name only of the tool", () => {
    expect(judge(write("/w/a"), { deny: ["write(a)"] }, "edit")).toBe("deny");
    expect(judge(read("/w/a"), { deny: ["write(a)"] }, "edit")).toBe("allow");
    expect(judge(read("/w/a"), { deny: ["read(a)"] }, "grep")).toBe("deny");
    expect(judge(write("/w/a"), { mode: "yolo", deny: ["edit(a)"] }, "write")).toBe("allow");
    expect(judge(write("/w/a"), { deny: ["EDIT(a)"] }, "edit")).toBe("deny");
  });
});

describe("secrets and steering files", () => {
  const SECRETS = [
    "/w/.env",
    "/w/.env.local",
    "/w/.ENV",
    "/w/a/.npmrc",
    "/h/.ssh",
    "/h/.ssh/config",
    "/w/x.PEM",
    "/proc/1/environ",
    "/proc/1/task/1/environ",
  ];

  test.each(SECRETS)("reading %s is asked for in yolo, also by wide rules", (path) => {
    expect(
      judge(read(path), { mode: "yolo", allow: ["read", "all", "read(**)", "read(/./)"] }),
    ).toBe("floor");
  });

  test("a rule that names the secret allows it", () => {
    expect(judge(read("/w/.env"), { allow: ["read(**/.env*)"] })).toBe("allow");
    expect(judge(read("/w/x.pem"), { allow: ["read(*.pem)"] })).toBe("allow");
    expect(judge(read("/w/.env.example"), {})).toBe("allow");
  });

  test.each([
    "/w/.git/hooks/x",
    "/w/.GIT/config",
    "/w/.git",
    "/w/.burin/config.toml",
    "/h/.config/burin/config.toml",
  ])("writing %s is asked for in yolo", (path) => {
    expect(judge(write(path), { mode: "yolo", allow: ["write", "write(**)"] })).toBe("floor");
  });

  test("a rule that names git's folder allows it", () => {
    expect(judge(write("/w/.git/info/x"), { allow: ["write(.git/**)"] })).toBe("allow");
  });

  test("a question of the floor is the one that is asked, wherever it stands in the call", () => {
    const touches = [read("/etc/hosts"), read("/w/.env"), read("/w/a")];
    expect(outcome(decide("read", touches, policy()))).toBe("floor");
    expect(outcome(decide("read", touches, policy({ deny: ["read(a)"] })))).toBe("deny");
    expect(decide("read", [], policy())).toMatchObject({ kind: "allow" });
  });
});

describe("servers", () => {
  const call: Touch = { kind: "call", server: "Exa", tool: "findIt" };

  test.each([
    "mcp:Exa",
    "mcp:Exa:findIt",
    "mcp:Exa:*",
    "mcp:*",
    "all",
    "MCP:Exa",
    "mcp:Exa(Exa:find*)",
  ])("deny %s forbids its call", (text) => {
    expect(judge(call, { mode: "yolo", deny: [text] }, "x")).toBe("deny");
  });

  test.each(["mcp:exa", "mcp:Exa:other", "read", "mcp:Exa(other)"])("deny %s does not", (text) => {
    expect(judge(call, { mode: "yolo", deny: [text] }, "x")).toBe("allow");
  });

  test("a web address is matched whole or by its host", () => {
    const fetch: Touch = { kind: "fetch", url: "https://example.org/a?b" };
    expect(judge(fetch, { allow: ["web_fetch(example.org)"] }, "web_fetch")).toBe("allow");
    expect(judge(fetch, { allow: ["web_fetch(*.org)"] }, "web_fetch")).toBe("allow");
    expect(
      judge(
        { kind: "fetch", url: "https://example.org@evil.net/" },
        { allow: ["web_fetch(example.org)"] },
        "web_fetch",
      ),
    ).toBe("ask");
    expect(
      judge({ kind: "fetch", url: "no url" }, { allow: ["web_fetch(example.org)"] }, "web_fetch"),
    ).toBe("ask");
  });
});

describe("a rule about a host", () => {
  const judgeUrl = (url: string, wish: Wish): string =>
    judge({ kind: "fetch", url }, { mode: "yolo", ...wish }, "web_fetch");
  const SPELLINGS = [
    "http://evil.test/",
    "http://evil.test:8080/",
    "https://evil.test:80/",
    "https://evil.test/a/b?c",
    "http://evil.test./",
    "http://EVIL.test:1/",
  ];

  test.each([
    "web_fetch(evil.test)",
    "web_fetch(Evil.Test.)",
    "web_fetch(evil.test:*)",
    "web_fetch(/^evil\\.test$/)",
    "all(evil.test)",
    "all(EVIL.test)",
  ])("deny %s holds on every port and however the host is written", (text) => {
    expect(SPELLINGS.map((url) => [url, judgeUrl(url, { deny: [text] })])).toEqual(
      SPELLINGS.map((url) => [url, "deny"]),
    );
    expect(judgeUrl("https://notevil.test/evil.test", { deny: [text] })).toBe("allow");
  });

  test("ask holds on every port as well", () => {
    expect(judgeUrl("http://evil.test.:8080/", { ask: ["web_fetch(evil.test)"] })).toBe("ask");
  });

  test("a host in another script is the same host", () => {
    expect(judgeUrl("https://Bücher.test:81/", { deny: ["web_fetch(BÜCHER.test)"] })).toBe("deny");
    expect(judgeUrl("https://xn--bcher-kva.test/", { deny: ["all(bücher。test)"] })).toBe("deny");
  });

  test("deny of an origin or of a host's folder holds for what is below", () => {
    const urls = [
      "http://h.test/a/b",
      "http://h.test:8080/a/b",
      "https://h.test/c",
      "http://h.test/",
    ];
    const judged = (deny: string): string[] => urls.map((url) => judgeUrl(url, { deny: [deny] }));
    expect([judged("web_fetch(http://H.test)"), judged("web_fetch(h.test/a/)")]).toEqual([
      ["deny", "deny", "allow", "deny"],
      ["deny", "deny", "allow", "allow"],
    ]);
  });

  test("one with a port is about that port, and allow without one about the usual", () => {
    const urls = [
      "https://h.test/",
      "https://h.test.:443/",
      "https://h.test:8080/",
      "http://h.test:443/",
    ];
    const judged = (wish: Wish): string[] =>
      urls.map((url) => judgeUrl(url, { mode: "standard", ...wish }));
    expect({
      deny: judged({ deny: ["web_fetch(h.test:8080)"] }),
      bare: judged({ allow: ["web_fetch(H.test.)"] }),
      port: judged({ allow: ["web_fetch(h.test:8080)"] }),
      usual: judged({ allow: ["web_fetch(h.test:443)"] }),
    }).toEqual({
      deny: ["ask", "ask", "deny", "ask"],
      bare: ["allow", "allow", "ask", "ask"],
      port: ["ask", "ask", "allow", "ask"],
      usual: ["allow", "allow", "ask", "allow"],
    });
  });
});

describe("offers", () => {
  const PIECES = [
    "a",
    "b",
    "*",
    "?",
    "\\",
    "/",
    "/",
    " ",
    "(",
    ")",
    "[",
    "$(x)",
    ";",
    "\n",
    ".",
    "^",
    "'",
    " *",
    "./",
    "-x",
  ];

  test("as a grant an offer answers the call it was made for and no other", () => {
    forSeeds(2000, (random) => {
      const text = (): string =>
        Array.from({ length: 1 + random.int(6) }, () => random.pick(PIECES)).join("");
      const one = `x${text()}`;
      const changed = one.replace(/[*?\\]/, "") + (random.chance(0.5) ? text() : "");
      const kinds: ((text: string) => Touch)[] = [
        (body) => run(body),
        (body) => write(`/o/${body.replaceAll("/", "_")}`),
        (body) => write(`/w/${body.replaceAll("/", "_")}`),
        (body) => ({ kind: "fetch", url: `https://h${Buffer.from(body).toString("hex")}/` }),
      ];
      const make = random.pick(kinds);
      const [asked, other] = [make(one), make(changed)];
      const tool = asked.kind === "run" ? "bash" : "web";
      const verdict = decide(tool, [asked], policy());
      if (verdict.kind !== "ask" || verdict.question.floor) return;
      const grants = [verdict.question.offer];
      expect([asked, outcome(decide(tool, [asked], policy({ grants })))]).toEqual([asked, "allow"]);
      if (JSON.stringify(asked) === JSON.stringify(other)) return;
      const before = outcome(decide(tool, [other], policy()));
      expect([asked, other, outcome(decide(tool, [other], policy({ grants })))]).toEqual([
        asked,
        other,
        before,
      ]);
    });
  });

  test("a file is offered by its absolute path where there are several folders", () => {
    const workspace = ["/w", "/v"];
    const verdict = decide("edit", [write("/w/a")], policy({ workspace }));
    expect(verdict).toMatchObject({ kind: "ask", question: { offer: "write(/w/a)" } });
    expect(judge(write("/v/a"), { workspace, grants: ["write(/w/a)"] })).toBe("ask");
    expect(judge(write("/w/a"), { workspace, grants: ["write(/w/a)"] })).toBe("allow");
  });

  test("a command that looks like a regular expression is offered as text", () => {
    const verdict = decide("bash", [run("/bin/x /tmp/")], policy());
    expect(verdict).toMatchObject({ kind: "ask", question: { offer: "bash(\\/bin/x /tmp\\/)" } });
  });

  test("a tool that touches nothing is allowed, unless it is forbidden by its name", () => {
    const judged = (...deny: string[]) => outcome(decide("ask_user", [], policy({ deny })));
    expect([judged(), judged("ask_user"), judged("all"), judged("bash")]).toEqual([
      "allow",
      "deny",
      "deny",
      "allow",
    ]);
  });

  test("ask asks about a tool that touches nothing, unless a later rule allows it", () => {
    const verdict = decide("todo_write", [], policy({ mode: "yolo", ask: ["todo_write"] }));
    expect(verdict).toEqual({
      kind: "ask",
      question: {
        touch: null,
        because: "the rule ask todo_write",
        offer: "todo_write",
        floor: false,
      },
    });
    const rules = [rule("ask", "all"), rule("allow", "todo_write")];
    const kind = (tool: string): string => decide(tool, [], { ...policy(), rules }).kind;
    expect([kind("todo_write"), kind("tasks")]).toEqual(["allow", "ask"]);
    expect(decide("tasks", [], policy({ ask: ["tasks"], deny: ["tasks"] })).kind).toBe("deny");
  });

  test("a web page is offered by its host, and the grant covers all of the host's pages", () => {
    const page: Touch = { kind: "fetch", url: "https://example.com:8443/a?b=1" };
    const verdict = decide("web_fetch", [page], policy());
    expect(verdict).toMatchObject({ question: { offer: "web_fetch(example.com:8443)" } });
    const grants = ["web_fetch(example.com:8443)"];
    const outcomes = [
      "https://example.com:8443/other",
      "https://example.com/a",
      "https://evil.com/",
    ]
      .map((url): Touch => ({ kind: "fetch", url }))
      .map((touch) => outcome(decide("web_fetch", [touch], policy({ grants }))));
    expect(outcomes).toEqual(["allow", "ask", "ask"]);
  });

  test("a server's tool is offered by name", () => {
    const call: Touch = { kind: "call", server: "Exa", tool: "findIt" };
    expect(decide("x", [call], policy())).toMatchObject({
      kind: "ask",
      question: { offer: "mcp:Exa:findIt" },
    });
    expect(judge(call, { grants: ["mcp:Exa:findIt"] }, "x")).toBe("allow");
  });
});

test("the modes do what their table says", () => {
  const touches = [
    read("/w/a"),
    read("/o/a"),
    write("/w/a"),
    write("/o/a"),
    run("ls"),
    run("make"),
    { kind: "fetch", url: "https://h/" } satisfies Touch,
  ];
  const row = (mode: NonNullable<Wish["mode"]>): string =>
    touches.map((touch) => decide("t", [touch], policy({ mode })).kind).join(" ");
  expect({
    standard: row("standard"),
    restrictive: row("restrictive"),
    readonly: row("readonly"),
    planwrite: row("planwrite"),
    guarded: row("guarded"),
    yolo: row("yolo"),
  }).toEqual({
    standard: "allow ask ask ask allow ask ask",
    restrictive: "allow deny ask deny ask ask ask",
    readonly: "allow ask deny deny allow deny deny",
    planwrite: "allow ask deny deny allow ask deny",
    guarded: "allow ask ask ask ask ask ask",
    yolo: "allow allow allow ask allow allow allow",
  });
});
