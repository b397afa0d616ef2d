// A change in a session: kept before it is made, referred to by its result; and what a model is told that edits by anchors.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { contentHash } from "../../src/session/blobs.ts";
import type { SessionEvent } from "../../src/session/event.ts";
import { ok } from "../../src/base/failure.ts";
import { scriptedModel } from "../../src/model/scripted.ts";
import { anchorOf } from "../../src/tools/anchor.ts";
import { call, DONE } from "../agent/fixture.ts";
import { collect } from "../support/collect.ts";
import { tempTree } from "../support/temp-tree.ts";
import { asking, chosen, encoding, open, openingIn } from "./fixture.ts";

const PROJECT = { "project/a.txt": "old\n" };
const READ = { steps: [call("read", "c1", { path: "a.txt" })] };
const EDIT = {
  steps: [call("edit", "c2", { path: "a.txt", edits: [{ oldText: "old", newText: "new" }] })],
};

function typesOf(events: readonly SessionEvent[]): string[] {
  return events
    .map(({ type }) => type)
    .filter((type) => type === "checkpoint" || type === "message.tool");
}

test("an edit is kept before it is made, and its result names the checkpoint", async () => {
  using tree = tempTree(PROJECT);
  const place = await open(openingIn(tree, [READ, EDIT, DONE]), { kind: "new", name: "job" });
  await collect(place.ask("go", asking()));
  const events = place.events();
  await place.close();
  expect(typesOf(events)).toEqual(["message.tool", "checkpoint", "message.tool"]);
  const checkpoint = events.find((event) => event.type === "checkpoint");
  const results = events.flatMap((event) =>
    event.type === "message.tool" ? [event.data.checkpoint] : [],
  );
  expect(results).toEqual([undefined, checkpoint?.id]);
  const hash = contentHash(Buffer.from("old\n"));
  const blob = tree.path(`data/blobs/${hash.slice(0, 2)}/${hash}`);
  expect([readFileSync(blob, "utf8"), readFileSync(tree.path("project/a.txt"), "utf8")]).toEqual([
    "old\n",
    "new\n",
  ]);
  const again = await open(openingIn(tree, []), { kind: "continue" });
  expect(again.events()).toEqual(events);
  await again.close();
});

test("without recording an edit keeps nothing", async () => {
  using tree = tempTree(PROJECT);
  const opening = openingIn(tree, [READ, EDIT, DONE], { isRecorded: false });
  const place = await open(opening, { kind: "new", name: "job" });
  await collect(place.ask("go", asking()));
  expect(typesOf(place.events())).toEqual(["message.tool", "message.tool"]);
  expect([readFileSync(tree.path("project/a.txt"), "utf8"), existsSync(tree.path("data"))]).toEqual(
    ["new\n", false],
  );
  await place.close();
});

test("a model that edits by anchors reads them, is told of them and no other is", async () => {
  using tree = tempTree(PROJECT);
  const turns = [
    READ,
    {
      steps: [
        call("edit", "c2", {
          path: "a.txt",
          anchors: [{ from: anchorOf(1, "old"), newText: "new" }],
        }),
      ],
    },
    DONE,
  ];
  const told = async (editing: "fuzzy" | "anchored"): Promise<string> => {
    const bodies: string[] = [];
    const model = encoding(scriptedModel(turns), bodies);
    const chooseModel = () => Promise.resolve(ok(chosen(model)));
    const opening = openingIn(tree, [], { chooseModel, editing: () => editing });
    const place = await open(opening, { kind: "new", name: editing });
    await collect(place.ask("go", asking()));
    await place.close();
    return bodies.join("\n");
  };
  const anchored = await told("anchored");
  expect(anchored).toContain(`${anchorOf(1, "old")}\\told`);
  expect([anchored.includes('"anchors"'), anchored.includes('"oldText"')]).toEqual([true, false]);
  expect(readFileSync(tree.path("project/a.txt"), "utf8")).toBe("new\n");
  const plain = await told("fuzzy");
  expect([plain.includes('"anchors":{'), plain.includes('"oldText":{')]).toEqual([false, true]);
});
