// Asks a TLS server of its own for a page: connects to an address, while the URL holds a name. Arguments: certificate, key, name.
import { DEFAULT_HTTP, send } from "../../src/wire/http.ts";

const [cert = "", key = "", name = ""] = process.argv.slice(2);
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  tls: { cert: Bun.file(cert), key: Bun.file(key) },
  fetch: (request) => new Response(`host ${request.headers.get("host")?.replace(/:\d+$/, "")}`),
});
const url = `https://${name}:${server.port}/`;
const request = { url, method: "GET", headers: {}, body: null, address: "127.0.0.1" } as const;
const sent = await send(request, DEFAULT_HTTP, new AbortController().signal);
const pieces: Uint8Array[] = [];
if (sent.ok) for await (const piece of sent.reply.body) pieces.push(piece);
console.log(sent.ok ? Buffer.concat(pieces).toString() : sent.failure.kind);
process.exit(0);
