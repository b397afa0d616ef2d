// What commands may run: rules that allow, rules that forbid, the safe list, against all the ways to hide a command.
import { describe, expect, test } from "bun:test";
import { MODES } from "../../src/base/modes.ts";
import { plainCommands } from "../../src/policy/plain.ts";
import { forSeeds } from "../support/random.ts";
import { judgeRun, outcome, type Wish } from "./policy-kit.ts";

/** What follows a harmless command and must never run because of it. */
const TAILS = [
  "; evil",
  " && evil",
  " || evil",
  " | evil",
  " |& evil",
  " & evil",
  "&evil",
  "\nevil",
  "\r\nevil",
  " $(evil)",
  " `evil`",
  ' "$(evil)"',
  ' "`evil`"',
  " <(evil)",
  " >(evil)",
  " > echo",
  " >> echo",
  " >| echo",
  " &> echo",
  " 2> echo",
  " < echo",
  " <<< x",
  " <<EOF\n$(evil)\nEOF",
  " &",
  " ~/x",
  " $HOME",
  " ${x}",
  " *",
  " ?",
  " [a]",
  " {a,b}",
  " \\x",
  " $'\\x41'",
  " # evil",
  " 2>/dev/nullx",
  " >/dev/null/../x",
  " !x",
  "\u00a0;\u00a0evil",
  " \u0000",
];

describe("rules that allow", () => {
  test.each(TAILS)("a pattern does not cover what hides behind it: echo a%j", (tail) => {
    expect(judgeRun(`echo a${tail}`, { allow: ["bash(echo *)"] }).kind).toBe("ask");
    expect(judgeRun(`echo a${tail}`, { allow: ["bash(/^echo/)"] }).kind).toBe("ask");
  });

  test.each(TAILS)("the safe list does not cover it either: ls a%j", (tail) => {
    expect(judgeRun(`ls a${tail}`).kind).toBe("ask");
    expect(judgeRun(`ls a${tail}`, { mode: "readonly" }).kind).toBe("deny");
  });

  test.each([
    ["npm test", "npm test"],
    ["npm run *", "npm run"],
    ["npm run *", "npm run build --fast"],
    ["npm run *", "npm  run 'a b' \"c\""],
    ["npm run *", "npm run a 2>&1"],
    ["npm run *", "npm run a >/dev/null && npm run b"],
    ["git commit *", 'git commit -m "rm && curl"'],
    ["/^npm (test|run)/", "npm test -- x"],
    ["timeout 60 npm test *", "timeout 60 npm test x"],
    ["git -c *", "git -c a=b status"],
  ])("bash(%s) allows %s", (pattern, command) => {
    expect(judgeRun(command, { allow: [`bash(${pattern})`] })).toMatchObject({
      kind: "allow",
    });
  });

  test.each([
    ["npm test", "npm test x"],
    ["npm test", "FOO=1 npm test"],
    ["git *", "gitk"],
    ["git *", "./git status"],
    ["git *", "git -c core.pager=evil log"],
    ["git *", "git log --output=x"],
    ["git *", "git diff --ext-diff"],
    ["git *", "git rebase --exec evil"],
    ["git *", "git bisect run evil"],
    ["git *", "git config alias.x '!evil'"],
    ["sort *", "sort --compress-program=evil x"],
    ["awk *", "awk 'BEGIN{system(1)}'"],
    ["find *", "find . -exec evil x"],
    ["env *", "env evil"],
    ["xargs *", "xargs evil"],
    ["bash *", "bash -c evil"],
    ["timeout *", "timeout 5 evil"],
    ["sudo *", "sudo ls"],
    ["command *", "command evil"],
    ["npm test", "npm te\\\nst"],
    ["echo *", "if echo a"],
    ["echo *", "time echo a"],
  ])("bash(%s) does not allow %s", (pattern, command) => {
    expect(judgeRun(command, { allow: [`bash(${pattern})`] }).kind).toBe("ask");
  });

  test("the last of the rules that allow or ask has the word", () => {
    const wish = { allow: ["bash(git *)"], ask: ["bash(git push *)"] };
    expect(judgeRun("git status", wish)).toEqual({
      kind: "allow",
      by: "rule",
      because: "the rule allow bash(git *) permits it",
    });
    expect(judgeRun("git push origin", wish)).toMatchObject({
      kind: "ask",
      question: { because: "the rule ask bash(git push *)", floor: false },
    });
  });
});

const FORBIDDEN = [
  "rm a",
  "  rm   a",
  "rm\ta",
  "/bin/rm a",
  "'rm' a",
  "r\\m a",
  'r"m" a',
  "r\\\nm a",
  "ls; rm a",
  "ls && rm a",
  "ls | rm a",
  "ls & rm a",
  "ls\nrm a",
  "ls # x \\\nrm a",
  "(rm a)",
  "{ rm a; }",
  "! rm a",
  "if true; then rm a; fi",
  "for x in a; do rm $x; done",
  "case a in a) rm a;; esac",
  "f() { rm a; }; f",
  "echo $(rm a)",
  'echo "$(rm a)"',
  "echo `rm a`",
  "cat <(rm a)",
  "x=1 rm a",
  "x=$(rm a)",
  ">x rm a",
  "<x >y rm a",
  "env -i x=1 rm a",
  "nice -n 5 rm a",
  "timeout -k 1 5 rm a",
  "find . | xargs -n 1 rm",
  "find . -exec rm {} +",
  "bash -c 'rm a'",
  'bash -lc "ls && rm a"',
  "bash -c \"sh -c 'rm a'\"",
  "eval 'rm a'",
  "eval rm a",
  "trap 'rm a' EXIT",
  "sudo -u root rm a",
  "exec rm a",
  "rm${IFS}a",
  "rm$IFS'a'",
  "r$@m a",
  "{rm,a}",
  "/bin/[r]m a",
  "cat <<EOF\n$(rm a)\nEOF",
];

describe("rules that forbid", () => {
  test.each(FORBIDDEN)(
    "deny bash(rm *) holds in every mode, whatever else is allowed: %j",
    (command) => {
      for (const mode of MODES) {
        const wish = { mode, allow: ["bash", "all"], grants: ["bash(*)"], deny: ["bash(rm *)"] };
        expect(judgeRun(command, wish)).toEqual({
          kind: "deny",
          by: "rule",
          because: "the rule deny bash(rm *) forbids it",
        });
      }
    },
  );

  test.each(["$x a", "x=rm; $x a", '"$(echo rm)" a', "/b?n/r? a", "eval $x", 'set -- rm a; "$@"'])(
    "where a command is forbidden, a program that cannot be told is asked for: %s",
    (command) => {
      const wish: Wish = { mode: "yolo", allow: ["bash"], deny: ["bash(rm *)"] };
      expect(outcome(judgeRun(command, wish))).toBe("floor");
    },
  );

  test.each(["rmdir a", "git commit -m 'rm && rm a'", "grep rm a", "[ -f rm ]"])(
    "what only looks like it is not forbidden: %s",
    (command) => {
      expect(judgeRun(command, { mode: "yolo", deny: ["bash(rm *)"] }).kind).toBe("allow");
    },
  );

  test("a rule for all tools forbids commands as well", () => {
    expect(judgeRun("rm a/b", { mode: "yolo", deny: ["all(rm *)"] }).kind).toBe("deny");
    expect(judgeRun("rm a/b", { mode: "yolo", deny: ["*(rm *)"] }).kind).toBe("deny");
  });
});

describe("the safe list", () => {
  test.each([
    "pwd",
    "ls",
    "ls -la src",
    "cat a.txt",
    "head -n 5 a",
    "tail -20 a",
    "wc -l a",
    "echo -n hi",
  ])("%s needs no question", (command) => {
    expect(judgeRun(command)).toMatchObject({ kind: "allow", by: "mode" });
    expect(judgeRun(command, { mode: "guarded" }).kind).toBe("ask");
  });

  test.each([
    "cat /etc/passwd",
    "cat ../x",
    "cat a/../../x",
    "cat .env",
    "ls a/.git",
    "tail -f a",
    "cat -",
    "cat --x",
    "git status",
    "toString",
    "constructor",
    "x=1 ls",
    "'ls'",
  ])("%s is asked for", (command) => {
    expect(judgeRun(command).kind).toBe("ask");
  });

  test.each(["cat id_rsa", "head -n 3 keys/server.pem", "wc -l prod.key"])(
    "a key is not read through a safe command: %s",
    (command) => {
      expect(outcome(judgeRun(command))).toBe("floor");
    },
  );

  test("a link is followed before it is judged", () => {
    const links = { "/w/a": "/etc/passwd", "/w/b": "/home/u/.ssh/id_rsa" };
    expect(outcome(judgeRun("cat a", { links }))).toBe("ask");
    expect(outcome(judgeRun("cat b", { links }))).toBe("floor");
    expect(judgeRun("cat a", { links, mode: "restrictive" }).kind).toBe("deny");
  });

  test("rules on reading hold for it", () => {
    expect(judgeRun("cat secrets/a", { deny: ["read(secrets/**)"] }).kind).toBe("deny");
    expect(judgeRun("ls secrets", { deny: ["read(secrets/**)"], mode: "yolo" }).kind).toBe("deny");
  });
});

test("any line made of safe words and one sign of the shell is never allowed by a pattern or the safe list", () => {
  const signs = "$`&;|<>(){}[]*?!#~\\\n\r\u0000".split("");
  forSeeds(500, (random) => {
    const words = ["cat", "a", "b.txt", "src/x", "-n"];
    const line = ["cat", ...Array.from({ length: random.int(5) }, () => random.pick(words))].join(
      " ",
    );
    const at = 4 + random.int(line.length);
    const hostile = `${line} z`.slice(0, at) + random.pick(signs) + `${line} z`.slice(at) + "z";
    expect([hostile, judgeRun(hostile, { mode: "readonly" }).kind]).toEqual([hostile, "deny"]);
    const commands = plainCommands(hostile);
    const isChain = /^[^$`&<>(){}[\]*?!#~\\\r\0]*[;|\n]/.test(hostile);
    expect(commands === null || isChain).toBe(true);
  });
});

test("plain commands are told as bash would split them", () => {
  expect(plainCommands("a  'b c'd | e \"f\" 2>&1 && g \\\n  h\n")).toEqual([
    { text: "a 'b c'd", words: ["a", "b cd"] },
    { text: 'e "f"', words: ["e", "f"] },
    { text: "g h", words: ["g", "h"] },
  ]);
  expect(plainCommands("")).toBeNull();
  expect(plainCommands("'' a")).toBeNull();
});

test("a command too long to be looked through is not run in any mode, and takes no time", () => {
  for (const unit of ["x", "git reset ", "perl -e ", "find . -exec ", "$(echo ", "'a' "]) {
    const command = unit.repeat(Math.ceil(5_000_000 / unit.length));
    const verdict = judgeRun(command, { mode: "yolo", deny: ["bash(rm *)"] });
    expect({ unit, kind: verdict.kind }).toEqual({ unit, kind: "deny" });
  }
});
