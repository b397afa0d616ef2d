// A fault of the system in words: what each error code means to a person, and what is left of an unknown one.
import { expect, test } from "bun:test";
import { errorCode, fault } from "../../src/host/fault.ts";

test("system errors are told in words with their code", () => {
  const error = Object.assign(new Error("no"), { code: "ENOSPC" });
  expect([fault(error), errorCode(error)]).toEqual(["the disk is full (ENOSPC)", "ENOSPC"]);
  expect([fault(Object.assign(new Error("no"), { code: "EODD" })), errorCode(7)]).toEqual([
    "EODD",
    null,
  ]);
  expect(fault(new Error("odd"))).toBe("Error: odd");
});
