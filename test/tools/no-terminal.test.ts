// Programs that want a terminal: which are refused, which may run, and what is said of those that failed for want of one.
import { describe, expect, test } from "bun:test";
import { bashTool } from "../../src/tools/bash.ts";
import { hintFor, needsTerminal } from "../../src/tools/no-terminal.ts";
import { tempTree } from "../support/temp-tree.ts";
import { textOf, toolKit } from "../support/tool-kit.ts";
import { unless } from "../support/unless.ts";

describe("needsTerminal", () => {
  test.each([
    "vim",
    "vim src/a.ts",
    " /usr/bin/vi notes",
    "cd src && vim a.ts",
    "ls | vim -",
    "make; nano 'a b'",
    "nano -w a.txt",
    "emacs -nw a",
    "python3",
    "python -i",
    "node ",
    "psql",
    "sqlite3",
  ])("is so for %s", (command) => {
    expect(needsTerminal(command)).toEqual(expect.any(String));
  });

  test.each([
    "vim -es -c '%s/a/b/' -c wq a.txt",
    "vim --version",
    "vim +PlugInstall +qall",
    "git commit -m 'x && vim y && z'",
    "emacs --batch -l build.el",
    "echo 1 | python3",
    "python3 build.py",
    "python3 -c 'print(1)'",
    "python3 <<'E'\nprint(1)\nE",
    "node server.js",
    "vim a.txt < answers",
    "which vim",
    "viewer a",
    "sqlite3 db .tables",
    "git commit",
  ])("is not so for %s", (command) => {
    expect(needsTerminal(command)).toBeNull();
  });
});

test.each([
  ["error: There was a problem with the editor 'vi'.", "there is no editor here"],
  ["sudo: a terminal is required to read the password; either use…", "a password cannot be typed"],
  ["sudo: a password is required", "a password cannot be typed"],
  ["Host key verification failed.\nfatal: Could not read", "the host key cannot be confirmed"],
  ["git@x: Permission denied (publickey,password).", "no password can be typed"],
  ["fatal: could not read Username for 'https://x': terminal prompts disabled", "no password can"],
  ["EOFError: EOF when reading a line", "it wanted a terminal or an answer"],
  ["Do you want to continue? [Y/n] ", "it wanted a terminal or an answer"],
  ["open terminal failed: not a terminal", "it wanted a terminal or an answer"],
  ["bash: /dev/tty: No such device or address", "it wanted a terminal or an answer"],
])("%s means something that can be done", (output, hint) => {
  expect(hintFor(`before\n${output}\n`)).toStartWith(hint);
});

test("what stands far from the end of an output means nothing", () => {
  expect(hintFor(`EOFError\n${"x\n".repeat(2000)}`)).toBeNull();
  expect(hintFor("1 test failed")).toBeNull();
});

describe("bash", () => {
  test("refuses an editor before it runs", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    expect(await textOf(bashTool, { command: "vim a.txt" }, kit)).toBe(
      "bash: vim needs a terminal, and there is none: change files with edit or write, look at them with read. Nothing was done",
    );
  });

  unless(Bun.which("vim") === null && "vim is not installed")(
    "ends an editor that waits for keys, wherever in the line it stands",
    async () => {
      using tree = tempTree();
      await using kit = toolKit(tree.root);
      const text = await textOf(bashTool, { command: "for i in 1; do vim a$i; done" }, kit);
      expect(text).toContain("needs a terminal, and there is none: change files with edit or");
      expect(text).toMatch(/\[vim\S* waited for keys, all its processes ended, /);
    },
    20_000,
  );

  const GIT = "git -c user.name=a -c user.email=a@b -c init.defaultBranch=main";
  const SETUP = `${GIT} init -q . && echo a > a && git add a && ${GIT} commit -qm first && echo b >> a && git add a`;

  test("lets git commit fail at once where no message is given, with the way out", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    const text = await textOf(bashTool, { command: `${SETUP} && ${GIT} commit` }, kit);
    expect(text).toContain("no editor here: use -m TEXT\n");
    expect(text).toContain("[there is no editor here: give the text as an argument, such as git");
    expect(text).toContain("[exit 1,");
  });

  test("takes the text that git prepared itself", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    const command = `${SETUP} && ${GIT} commit -q --amend && git log --format=%s`;
    expect(await textOf(bashTool, { command }, kit)).toStartWith("first\n[exit 0,");
  });

  test("lets an interactive rebase say that nobody is there", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    const command = `${SETUP} && ${GIT} commit -qm second && ${GIT} rebase -i HEAD~1`;
    const text = await textOf(bashTool, { command }, kit);
    expect(text).toContain("no editor here: set GIT_SEQUENCE_EDITOR to a command that changes");
    expect(text).toContain("[exit 1,");
  });

  test("gives a program that asks an end of input, and says so", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    const ask = `bash -c 'read -rp "Sure? " a </dev/tty || { echo "cannot ask" >&2; exit 9; }'`;
    const text = await textOf(bashTool, { command: ask }, kit);
    expect(text).toContain("/dev/tty: No such device or address");
    expect(text).toContain("[it wanted a terminal or an answer, and there is neither:");
    expect(text).toContain("[exit 9,");
  });
});
