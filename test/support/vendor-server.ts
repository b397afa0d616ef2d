// A model server that reads every request as its vendor documents it: what breaks a rule is refused, and noted.

export type Asked = {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body: unknown;
  text: string;
};

/** One wire: how its replies are written, and what is wrong with a request, given the replies before it. */
export type Vendor<Reply> = {
  body(reply: Reply, at: number): string | Uint8Array<ArrayBuffer>;
  /** Of the replies; left out: server-sent events. */
  contentType?: string;
  refusal(complaints: string[]): string;
  complaints(asked: Asked, before: readonly Reply[]): string[];
};

export type VendorServer = AsyncDisposable & {
  url: string;
  requests: Asked[];
  /** Of all requests, with the number of each. */
  complaints: string[];
};

/** Each request gets the next reply. */
export function vendorServer<Reply>(
  vendor: Vendor<Reply>,
  replies: readonly Reply[],
): VendorServer {
  const requests: Asked[] = [];
  const complaints: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const text = await request.text();
      const asked = {
        method: request.method,
        path: pathname + search,
        headers: Object.fromEntries(request.headers),
        body: parsed(text),
        text,
      };
      const at = requests.push(asked) - 1;
      const reply = replies[at];
      const wrong = vendor.complaints(asked, replies.slice(0, at));
      if (reply === undefined) wrong.push("one request more than was expected");
      complaints.push(...wrong.map((what) => `request ${at + 1}: ${what}`));
      if (reply === undefined || wrong.length > 0) {
        const headers = { "content-type": "application/json" };
        return new Response(vendor.refusal(wrong), { status: 400, headers });
      }
      const headers = { "content-type": vendor.contentType ?? "text/event-stream" };
      return new Response(vendor.body(reply, at), { headers });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    complaints,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The rules that do not hold. */
export function broken(rules: Record<string, boolean>): string[] {
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule]));
}
