// The plan and the model's questions in the chat of the compiled binary, and that the plan is there when the session is resumed.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BURIN, home } from "../support/binary.ts";
import { questionOpen } from "../support/question.ts";
import { screen } from "../support/screen.ts";

const TIMEOUT_MS = 30_000;

const SCRIPT = {
  turns: [
    {
      steps: [
        {
          tool: "TodoWrite",
          args: { todos: [{ content: "choose a store", status: "in_progress" }] },
        },
        {
          tool: "ask_user",
          args: { questions: [{ question: "Which store?", options: ["SQLite", "Memory"] }] },
        },
      ],
    },
    { expect: "Which store?\n→ Memory", steps: [{ text: "Memory it is." }] },
  ],
};

test(
  "a question is answered by a key, and an open plan is shown again at the next start",
  async () => {
    using at = home();
    writeFileSync(join(at.path, "script.json"), JSON.stringify(SCRIPT));
    const options = { command: BURIN, env: { ...at.env, NO_COLOR: "1" }, cwd: at.path };
    const flags = ["--provider", "script:script.json"];
    {
      await using chat = screen({ ...options, args: [...flags, "--name", "first", "go"] });
      await questionOpen(chat, "3 another answer");
      expect(chat.text()).toContain("? Which store?");
      chat.type("2");
      await chat.waitFor("Memory it is.");
      expect(chat.text()).toMatch(/● plan · 0 of 1 done\n {2}▸ choose a store/);
      expect(chat.text()).toContain("● ask_user · Memory");
      chat.key("ctrl+d");
      expect(await chat.exited).toBe(0);
    }
    await using again = screen({ ...options, args: ["resume", "first", ...flags] });
    await again.waitFor(/Memory it is\.\n[^]*● plan · 0 of 1 done\n {2}▸ choose a store/);
  },
  TIMEOUT_MS,
);
