// Which call a fragment belongs to, in the ways that real servers number, name and repeat them.
import { describe, expect, test } from "bun:test";
import { assembler, type CallDelta } from "../../src/model/assemble.ts";
import type { ModelEvent, ToolCall } from "../../src/model/event.ts";
import { forSeeds } from "../support/random.ts";

const NONE: CallDelta = { index: null, id: "", name: "", arguments: undefined };

function assemble(deltas: Partial<CallDelta>[]): ToolCall[] {
  let count = 0;
  const calls = assembler(() => `own-${(count += 1)}`);
  for (const delta of deltas) calls.add({ ...NONE, ...delta });
  return calls.finish();
}

const A = '{"path":"a"}';
const B = '{"path":"b"}';
const READ_A = { id: "a", name: "read", arguments: A };
const READ_B = { id: "b", name: "read", arguments: B };

const WAYS: [name: string, deltas: Partial<CallDelta>[], calls: ToolCall[]][] = [
  [
    "fragments by index",
    [
      { index: 0, id: "a", name: "read", arguments: "" },
      { index: 0, arguments: '{"pa' },
      { index: 0, arguments: 'th":"a"}' },
    ],
    [READ_A],
  ],
  [
    "two calls whose fragments alternate",
    [
      { index: 0, id: "a", name: "read", arguments: '{"path"' },
      { index: 1, id: "b", name: "read", arguments: '{"path"' },
      { index: 0, arguments: ':"a"}' },
      { index: 1, arguments: ':"b"}' },
    ],
    [READ_A, READ_B],
  ],
  [
    "a new id on a used index",
    [
      { index: 0, id: "a", name: "read", arguments: A },
      { index: 0, id: "b", name: "read", arguments: B },
    ],
    [READ_A, READ_B],
  ],
  [
    "no index at all",
    [
      { id: "a", name: "read", arguments: '{"path"' },
      { arguments: ':"a"}' },
      { id: "b", name: "read" },
      { arguments: B },
    ],
    [READ_A, READ_B],
  ],
  [
    "the id alone says whose fragment it is",
    [
      { id: "a", name: "read", arguments: '{"path"' },
      { id: "b", name: "read", arguments: B },
      { id: "a", arguments: ':"a"}' },
    ],
    [READ_A, READ_B],
  ],
  [
    "the same id and name in each fragment",
    [
      { index: 0, id: "a", name: "read", arguments: '{"path"' },
      { index: 0, id: "a", name: "read", arguments: ':"a"}' },
    ],
    [READ_A],
  ],
  [
    "empty ids are absent ones",
    [
      { index: 0, id: "", name: "read", arguments: A },
      { index: 1, id: "", name: "read", arguments: B },
    ],
    [
      { ...READ_A, id: "own-1" },
      { ...READ_B, id: "own-2" },
    ],
  ],
  [
    "every call at index 0 and without an id",
    [
      { index: 0, name: "read", arguments: A },
      { index: 0, name: "read", arguments: B },
      { index: 0, name: "list", arguments: "" },
      { index: 0, name: "grep", arguments: "" },
    ],
    [
      { ...READ_A, id: "own-1" },
      { ...READ_B, id: "own-2" },
      { id: "own-3", name: "list", arguments: "{}" },
      { id: "own-4", name: "grep", arguments: "{}" },
    ],
  ],
  [
    "the name in each fragment, no ids",
    [
      { index: 0, name: "read", arguments: '{"path"' },
      { index: 0, name: "read", arguments: ':"a"}' },
    ],
    [{ ...READ_A, id: "own-1" }],
  ],
  [
    "the name in each fragment, one of which only looks complete",
    [
      { index: 0, name: "read", arguments: '{"a":{}' },
      { index: 0, name: "read", arguments: "}" },
    ],
    [{ id: "own-1", name: "read", arguments: '{"a":{}}' }],
  ],
  [
    "the tail under a wrong index",
    [
      { index: 0, id: "a", name: "read", arguments: '{"path"' },
      { index: 1, arguments: ':"a' },
      { index: 1, arguments: '"}' },
    ],
    [READ_A],
  ],
  [
    "an id that comes late",
    [
      { index: 0, arguments: '{"path"' },
      { index: 0, id: "a", name: "read" },
      { index: 0, arguments: ':"a"}' },
    ],
    [READ_A],
  ],
  [
    "arguments before the name",
    [
      { index: 0, id: "a", arguments: '{"path"' },
      { index: 0, name: "read" },
      { index: 0, arguments: ':"a"}' },
    ],
    [READ_A],
  ],
  [
    "arguments as an object",
    [{ index: 0, id: "a", name: "read", arguments: { path: "a" } }],
    [READ_A],
  ],
  [
    "arguments as an object, twice",
    [
      { index: 0, id: "a", name: "read", arguments: { path: "a" } },
      { index: 0, id: "a", arguments: { path: "a" } },
    ],
    [READ_A],
  ],
  [
    "no arguments",
    [{ index: 0, id: "a", name: "list" }],
    [{ id: "a", name: "list", arguments: "{}" }],
  ],
  [
    "blank arguments",
    [{ index: 0, id: "a", name: "list", arguments: " \n" }],
    [{ id: "a", name: "list", arguments: "{}" }],
  ],
  [
    "an empty object before the real arguments",
    [
      { index: 0, id: "a", name: "read", arguments: "{}" },
      { index: 0, arguments: '{"path"' },
      { index: 0, arguments: ':"a"}' },
    ],
    [READ_A],
  ],
  [
    "arguments repeated whole at the end",
    [
      { index: 0, id: "a", name: "read", arguments: '{"path"' },
      { index: 0, arguments: ':"a"}' },
      { index: 0, id: "a", name: "read", arguments: A },
    ],
    [READ_A],
  ],
  [
    "arguments repeated whole at the end, without an id",
    [
      { index: 0, name: "read", arguments: A },
      { index: 0, name: "read", arguments: A },
    ],
    [{ ...READ_A, id: "own-1" }],
  ],
  [
    "fragments that happen to be alike are not repetitions",
    [
      { index: 0, id: "a", name: "add", arguments: '{"n":' },
      { index: 0, arguments: "1" },
      { index: 0, arguments: "1" },
      { index: 0, arguments: "}" },
    ],
    [{ id: "a", name: "add", arguments: '{"n":11}' }],
  ],
  ["fragments that say nothing", [{}, { index: 0 }, { index: 3, arguments: null }], []],
  [
    "broken arguments stay as they are",
    [{ id: "a", name: "read", arguments: '{"path":' }],
    [{ ...READ_A, arguments: '{"path":' }],
  ],
];

describe("the assembler", () => {
  test.each(WAYS)("understands %s", (_, deltas, calls) => {
    expect(assemble(deltas)).toEqual(calls);
  });

  test("shows arguments only once the call has a name", () => {
    const calls = assembler(() => "own");
    const events: ModelEvent[] = [];
    events.push(...calls.add({ ...NONE, index: 0, id: "a", arguments: '{"x"' }));
    expect(events).toEqual([]);
    events.push(...calls.add({ ...NONE, index: 0, name: "read" }));
    events.push(...calls.add({ ...NONE, index: 0, arguments: ":1}" }));
    expect(events).toEqual([
      { type: "call.begin", id: "a", name: "read" },
      { type: "call.delta", id: "a", delta: '{"x"' },
      { type: "call.delta", id: "a", delta: ":1}" },
    ]);
  });

  test("keeps the id that the screen knows when another one comes late", () => {
    expect(
      assemble([
        { index: 0, name: "read", arguments: '{"path"' },
        { index: 0, id: "late", arguments: ':"a"}' },
      ]),
    ).toEqual([{ ...READ_A, id: "own-1" }]);
  });
});

test("calls come out whole however their fragments alternate", () => {
  forSeeds(300, (random) => {
    const wanted = Array.from({ length: 1 + random.int(5) }, (_, at) => ({
      id: `id-${at}`,
      name: random.pick(["read", "grep", "bash"]),
      arguments: JSON.stringify({ text: 'x{}"1'.repeat(random.int(20)), at }),
    }));
    const useIds = random.chance(0.5);
    const left = wanted.map((call, index) => ({
      index,
      call,
      rest: call.arguments,
      isOpen: false,
    }));
    const deltas: Partial<CallDelta>[] = [];
    for (
      let open = left.slice();
      open.length > 0;
      open = open.filter((entry) => entry.rest !== "")
    ) {
      // Calls open in order; fragments of open ones alternate.
      const begun = open.filter((entry) => entry.isOpen);
      const next = open.find((entry) => !entry.isOpen);
      const entry = next && (begun.length === 0 || random.chance(0.3)) ? next : random.pick(begun);
      const size = 1 + random.int(8);
      const fragment = entry.rest.slice(0, size);
      entry.rest = entry.rest.slice(size);
      const named = useIds || !entry.isOpen ? { id: entry.call.id } : { index: entry.index };
      deltas.push({
        index: entry.index,
        ...named,
        name: entry.isOpen ? "" : entry.call.name,
        arguments: fragment,
      });
      entry.isOpen = true;
    }
    expect(assemble(deltas)).toEqual(wanted);
  });
});
