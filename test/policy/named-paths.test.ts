// What rules say of files holds for the files that a command names, too.
import { describe, expect, test } from "bun:test";
import { judgeRun, outcome } from "./policy-kit.ts";

describe("a deny rule about files", () => {
  test.each([
    ["read(**/.env)", "cat .env"],
    ["read(a.txt)", "cat b.txt; cat ./a.txt"],
    ["read(a.txt)", 'tail -n 3 "a.txt" | sort'],
    ["read(secrets/**)", "grep -r key secrets"],
    ["read(secrets/**)", "tar cf x.tar secrets/a"],
    ["write", "echo changed >> a.txt"],
    ["write(a.txt)", "sed -i s/x/y/ a.txt"],
    ["write(**/*.lock)", "cp x sub/y.lock"],
    ["edit(a.txt)", "echo x > a.txt"],
  ])("%s holds for %s", (deny, command) => {
    expect(outcome(judgeRun(command, { mode: "yolo", deny: [deny] }))).toBe("deny");
  });

  test.each([
    ["read(secrets/**)", "cat a.txt"],
    ["write", "cat a.txt > /dev/null"],
    ["write", "npm test 2>&1"],
  ])("%s leaves %s alone", (deny, command) => {
    expect(outcome(judgeRun(command, { mode: "yolo", deny: [deny] }))).toBe("allow");
  });
});

describe("the safety floor", () => {
  test.each([
    "cat .env",
    "cat sub/.env*",
    "cp .env x.txt",
    "cat ~/.ssh/id_rsa",
    "cat /proc/$PPID/environ",
    "echo evil > .git/hooks/pre-commit",
    "tee < x >> .git/config",
  ])("asks for %s in every mode", (command) => {
    expect(outcome(judgeRun(command, { mode: "yolo" }))).toBe("floor");
  });

  test("is lifted by a rule that names the file", () => {
    expect(outcome(judgeRun("cat .env", { mode: "yolo", allow: ["bash(cat .env)"] }))).toBe(
      "allow",
    );
  });

  test.each(["git status", "cat .env.example", "npm test > out.log", "ls .git"])(
    "leaves %s alone",
    (command) => {
      expect(outcome(judgeRun(command, { mode: "yolo" }))).toBe("allow");
    },
  );
});
