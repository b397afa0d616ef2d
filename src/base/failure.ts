// What can go wrong, as values: a Result is either the value or a Failure with one sentence for person and model.

export type Failure =
  /** The person or a signal stopped it. */
  | { kind: "aborted" }
  /** It could be done, but is not permitted or not free: a rule, a lock. */
  | { kind: "denied"; because: string }
  /** What was given makes no sense: a flag, a rule, a tool's arguments. */
  | { kind: "invalid"; what: string }
  /** What was named is not there: a file, a session, a model. */
  | { kind: "missing"; what: string }
  /** More than a set bound would be needed. */
  | { kind: "limit"; which: string }
  /** It is there, but cannot be read or used: damaged content, no rights, an error of the system. */
  | { kind: "broken"; what: string };

export type Result<T> = { ok: true; value: T } | { ok: false; failure: Failure };

export function ok<T>(value: T): { ok: true; value: T } {
  return { ok: true, value };
}

export function fail(failure: Failure): { ok: false; failure: Failure } {
  return { ok: false, failure };
}

export function invalid(what: string): { ok: false; failure: Failure } {
  return fail({ kind: "invalid", what });
}

export function missing(what: string): { ok: false; failure: Failure } {
  return fail({ kind: "missing", what });
}

export function broken(what: string): { ok: false; failure: Failure } {
  return fail({ kind: "broken", what });
}

/** The failure as one sentence that names the cause and, where the maker knew it, the next step. */
export function sentence(failure: Failure): string {
  switch (failure.kind) {
    case "aborted":
      return "stopped before it finished";
    case "denied":
      return failure.because;
    case "invalid":
    case "missing":
    case "broken":
      return failure.what;
    case "limit":
      return `the limit on ${failure.which} was reached`;
  }
}

/** What something thrown says of itself, for the walls against bugs; errors of the system are put in words by `fault`. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
