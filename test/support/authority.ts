// An authority of our own and certificates for test servers, made by openssl: good, of another name, expired, self-signed.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type Certificate = { cert: string; key: string };
export type Authority = {
  /** Where the authority's own certificate lies, and its text. */
  path: string;
  pem: string;
  /** `from` and `to` as years. */
  issue(names: string, from?: number, to?: number): Certificate;
};

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
const SETTINGS = `[ca]
default_ca=d
[d]
dir=.
database=index
serial=serial
new_certs_dir=.
default_md=sha256
policy=p
copy_extensions=copy
[p]
commonName=supplied
`;

/** In an empty folder, which it fills. */
export function authorityIn(folder: string): Authority {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "ca.cnf"), SETTINGS);
  writeFileSync(join(folder, "index"), "");
  writeFileSync(join(folder, "serial"), "01");
  const run = (...args: string[]): void => {
    const { success, stderr } = Bun.spawnSync(["openssl", ...args], { cwd: folder });
    if (!success) throw new Error(`openssl: ${stderr.toString()}`);
  };
  const text = (name: string): string => readFileSync(join(folder, name), "utf8");
  const own = ["-keyout", "ca.key", "-out", "ca.pem", "-days", "30", "-subj", "/CN=a test"];
  run("req", "-x509", ...KEY, ...own);
  let count = 0;
  return {
    path: join(folder, "ca.pem"),
    pem: text("ca.pem"),
    issue(names, from = 2020, to = 2120) {
      count += 1;
      const [key, request, cert] = [`${count}.key`, `${count}.csr`, `${count}.pem`];
      const subject = ["-subj", `/CN=leaf ${count}`, "-addext", `subjectAltName=${names}`];
      run("req", ...KEY, "-keyout", key, "-out", request, ...subject);
      const dates = ["-startdate", `${from}0101000000Z`, "-enddate", `${to}0101000000Z`];
      const by = ["-cert", "ca.pem", "-keyfile", "ca.key"];
      run(
        "ca",
        "-batch",
        "-config",
        "ca.cnf",
        ...by,
        "-in",
        request,
        "-out",
        cert,
        "-notext",
        ...dates,
      );
      return { cert: text(cert), key: text(key) };
    },
  };
}
