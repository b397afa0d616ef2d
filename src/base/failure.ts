// What can go wrong, as values: a Result is either the value or a Failure with one sentence for person and model.

export type Failure =
  | { kind: "aborted" }
  | { kind: "denied"; because: string }
  | { kind: "invalid"; what: string }
  | { kind: "missing"; what: string }
  | { kind: "limit"; which: string }
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
