// The list of processes and who belongs to whom.
import { describe, expect, test } from "bun:test";
import { membersOf, parsePs, type ProcessEntry } from "../../src/host/process-list.ts";

function entry(pid: number, changes: Partial<ProcessEntry> = {}): ProcessEntry {
  const plain = {
    parent: 1,
    group: pid,
    session: pid,
    state: "S",
    name: "x",
    started: `at ${pid}`,
    marker: null,
    brand: null,
  };
  return { ...plain, pid, ...changes };
}

describe("membersOf", () => {
  test("finds group, session, marker, brand, descendants and old acquaintances, and nobody else", () => {
    const entries = [
      entry(10, { group: 5 }),
      entry(11, { session: 5 }),
      entry(12, { marker: "run.1." }),
      entry(13, { parent: 14 }),
      entry(14, { parent: 12 }),
      entry(15),
      entry(16, { marker: "run.10." }),
      entry(17, { started: "later" }),
      entry(18, { parent: 16 }),
      entry(19, { brand: 7n }),
      entry(20, { brand: 9n }),
    ];
    const known = [entry(15), entry(17)];
    const isBranded = (brand: bigint): boolean => brand === 7n;
    const members = membersOf(entries, { leaders: [5], marker: "run.1.", isBranded, known });
    expect(members.map(({ pid }) => pid).toSorted((one, other) => one - other)).toEqual([
      10, 11, 12, 13, 14, 15, 19,
    ]);
  });
});

test("the output of ps is understood, with its dates and environments", () => {
  const text = [
    "    1     0     1 Ss   Mon Nov 30 23:09:01 2026 /sbin/launchd",
    "  501   400   501 S+   Tue Dec  1 08:00:00 2026 /bin/sleep 100 PATH=/bin BURIN_RUN=abc.1. HOME=/x",
    "  502   400   501 Z    Tue Dec  1 08:00:00 2026 (sleep)",
  ].join("\n");
  expect(parsePs(text)).toEqual([
    {
      pid: 1,
      parent: 0,
      group: 1,
      session: 1,
      state: "S",
      name: "launchd",
      started: "Mon Nov 30 23:09:01 2026",
      marker: null,
      brand: null,
    },
    {
      pid: 501,
      parent: 400,
      group: 501,
      session: 501,
      state: "S",
      name: "sleep",
      started: "Tue Dec  1 08:00:00 2026",
      marker: "abc.1.",
      brand: null,
    },
  ]);
});
