// A connection to an address that was checked: the certificate must still be that of the name in the URL.
import { expect } from "bun:test";
import { join } from "node:path";
import { tempTree } from "../support/temp-tree.ts";
import { unless } from "../support/unless.ts";

const FIXTURE = join(import.meta.dir, "../support/pinned-fixture.ts");

unless(Bun.which("openssl") === null && "openssl is not installed")(
  "the name decides about the certificate, the address about the connection",
  () => {
    using tree = tempTree();
    const [cert, key] = [tree.path("cert.pem"), tree.path("key.pem")];
    const subject = ["-subj", "/CN=site.example", "-addext", "subjectAltName=DNS:site.example"];
    const files = ["-keyout", key, "-out", cert, "-days", "2"];
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    Bun.spawnSync(["openssl", "req", "-x509", ...curve, ...files, ...subject]);
    const ask = (name: string): string =>
      Bun.spawnSync([process.execPath, FIXTURE, cert, key, name], {
        env: { ...process.env, NODE_EXTRA_CA_CERTS: cert },
      })
        .stdout.toString()
        .trim();
    expect([ask("site.example"), ask("other.example")]).toEqual(["host site.example", "tls"]);
  },
);
