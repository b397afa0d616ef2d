// Pictures, the plan and the tools that are not always offered, through the compiled binary as a user has them.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "../support/binary.ts";
import { jpeg, png } from "../support/pictures.ts";
import { replayServer, type ReplayTurn } from "../support/replay-server.ts";

const TIMEOUT_MS = 30_000;

function asking(name: string, input: unknown): ReplayTurn[] {
  return [
    { steps: [{ call: { id: "c1", name, arguments: JSON.stringify(input) } }] },
    { steps: [{ text: "done" }] },
  ];
}

test(
  "a picture that was read reaches a model that sees, and its bytes stay the same in every later request",
  async () => {
    using user = home();
    writeFileSync(join(user.path, "photo"), await jpeg(3000, 20, 6));
    const [call, ...rest] = asking("read", { path: "photo" });
    await using server = await replayServer([
      ...(call ? [call] : []),
      { steps: [{ call: { id: "c2", name: "ls", arguments: "{}" } }] },
      ...rest,
    ]);
    const ran = await user.run(["-p", "look", "--base-url", server.url, "-m", "tiny-vision"]);
    expect([ran.code, ran.out]).toEqual([0, "done\n"]);
    const bodies = server.requests.map(({ body }) => body);
    expect(bodies[1]).toContain("3000 pixels, sent as 13 × 2000: it follows as photo]");
    expect(bodies[1]).toMatch(/"image_url":\{"url":"data:image\/jpeg;base64,[\w+/=]{100,}"/);
    expect(bodies[2]).toStartWith(bodies[1]?.slice(0, -2) ?? "missing");
  },
  TIMEOUT_MS,
);

test(
  "a resumed session sends the picture again, byte for byte, also a large one",
  async () => {
    using user = home();
    writeFileSync(join(user.path, "noise.png"), png(1000, 1000, 3));
    await using server = await replayServer([
      ...asking("read", { path: "noise.png" }),
      { steps: [{ text: "still there" }] },
    ]);
    const flags = ["--base-url", server.url, "-m", "tiny-vision"];
    await user.run(["-p", "look", ...flags]);
    const again = await user.run(["-p", "and now?", "--continue", ...flags]);
    expect([again.code, again.out]).toEqual([0, "still there\n"]);
    const [, before = "", after = ""] = server.requests.map(({ body }) => body);
    expect(before.length).toBeGreaterThan(3_500_000);
    expect(after.startsWith(before.slice(0, -2))).toBe(true);
  },
  TIMEOUT_MS,
);

test(
  "a model that is not known to see is told so, unless the settings say that it does",
  async () => {
    using user = home();
    writeFileSync(join(user.path, "a.png"), png(4, 4));
    for (const [settings, wanted] of [
      [[], "not shown: this model takes no images"],
      [["--setting", 'models.blind.modalities=["image"]'], "image_url"],
    ] as const) {
      await using server = await replayServer(asking("read", { path: "a.png" }));
      await user.run(["-p", "look", "--base-url", server.url, "-m", "blind", ...settings]);
      expect(server.requests[1]?.body).toContain(wanted);
    }
  },
  TIMEOUT_MS,
);

test("burin tool read shows what a picture is, and with --json the picture", async () => {
  using user = home();
  const bytes = png(4000, 10);
  writeFileSync(join(user.path, "a.png"), bytes);
  expect((await user.run(["tool", "read", "a.png"])).out).toBe(
    `[PNG image, ${bytes.length} bytes, 4000 × 10 pixels, sent as 2000 × 5: it follows as a.png]\n[image image/png a.png]\n`,
  );
  const json: unknown = JSON.parse((await user.run(["tool", "read", "a.png", "--json"])).out);
  expect(json).toMatchObject({ content: [{ type: "text" }, { type: "image", name: "a.png" }] });
});

test(
  "a run without a person offers seven tools, others by flag and settings, and answers questions itself",
  async () => {
    using user = home();
    const question = { questions: [{ question: "Which?", options: ["A", "B"] }] };
    const offered = async (...args: string[]): Promise<string[]> => {
      await using server = await replayServer(asking("ask_user", question));
      await user.run(["-p", "go", "--base-url", server.url, "-m", "m", ...args]);
      const body = server.requests[0]?.body ?? "";
      if (args.length > 0) {
        expect(server.requests[1]?.body).toContain("Nobody is there to answer. Use your best");
      }
      return [...body.matchAll(/"function":\{"name":"(\w+)"/g)].map(([, name = ""]) => name);
    };
    const seven = ["read", "ls", "find", "grep", "write", "edit", "bash"];
    expect(await offered()).toEqual(seven);
    expect(await offered("--tools", "ask_user")).toEqual(["ask_user"]);
    expect(
      await offered(
        "--setting",
        'tools.enabled=["ask_user", "web_fetch"]',
        "--setting",
        'tools.disabled=["bash"]',
      ),
    ).toEqual([...seven.filter((name) => name !== "bash"), "ask_user", "web_fetch"]);
  },
  TIMEOUT_MS,
);

test("web_fetch never reaches this machine, also when it is allowed", async () => {
  using user = home();
  await using server = await replayServer([]);
  const ran = await user.run(["tool", "web_fetch", server.url]);
  expect([ran.code, server.requests]).toEqual([1, []]);
  expect(ran.out).toContain("is an address of this machine or of a private network");
});
