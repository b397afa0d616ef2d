// The wall around the tests: this process may connect to the machine itself, and to nothing else.
import { Socket } from "node:net";

/** Names under `.invalid` never resolve: a test of unknown hosts needs one. */
const NEVER_RESOLVES = ".invalid";

export function isLoopback(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[|\]$/g, "");
  return bare === "localhost" || bare === "::1" || /^127(?:\.\d{1,3}){3}$/.test(bare);
}

/** Wraps every way by which code of ours connects. Child processes are not covered: they get their own environment. */
export function allowOnlyLoopback(): void {
  guardFetch();
  wrap(Bun, "connect", hostOf);
  // node:net, and with it node:http and node:tls: they all end here, with their options in one array.
  wrap(Socket.prototype, "connect", (args) => hostOf(args.flat(1)));
}

function assertAllowed(host: string): void {
  if (isLoopback(host) || host.toLowerCase().endsWith(NEVER_RESOLVES)) return;
  throw new Error(`a test wanted to connect to ${host}: tests reach only the loopback interface`);
}

function guardFetch(): void {
  const real = globalThis.fetch;
  const guarded = async (...args: Parameters<typeof fetch>): Promise<Response> => {
    const [target] = args;
    const url = new URL(target instanceof Request ? target.url : String(target));
    if (url.hostname !== "") assertAllowed(url.hostname);
    return real(...args);
  };
  globalThis.fetch = Object.assign(guarded, { preconnect: real.preconnect });
}

function wrap(owner: object, name: string, hostIn: (args: unknown[]) => string | null): void {
  const real: unknown = Reflect.get(owner, name);
  if (typeof real !== "function") throw new Error(`there is no ${name} to wrap`);
  Reflect.set(owner, name, function guarded(this: unknown, ...args: unknown[]): unknown {
    const host = hostIn(args);
    if (host !== null) assertAllowed(host);
    return Reflect.apply(real, this, args);
  });
}

/** From `(port, host)`, `(options)` or `(path)`; null for a socket of the file system and for the default, localhost. */
function hostOf([first, second]: unknown[]): string | null {
  if (typeof first === "object" && first !== null) {
    const named: unknown = Reflect.get(first, "host") ?? Reflect.get(first, "hostname");
    return typeof named === "string" ? named : null;
  }
  return typeof first === "number" && typeof second === "string" ? second : null;
}
