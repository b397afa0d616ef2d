// AWS Signature Version 4: the headers that make a request one of an access key, at a given time.
export type AwsKeys = {
  accessKeyId: string;
  secretAccessKey: string;
  /** Of keys that hold for a while only. */
  sessionToken: string | null;
};

export type Scope = { region: string; service: string };

export type Signable = {
  method: "GET" | "POST";
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
};

const ALGORITHM = "AWS4-HMAC-SHA256";

/** To be sent beside the request's own headers. Of those, the content type and `x-amz-*` are signed: proxies change others. */
export function signatureHeaders(
  request: Signable,
  keys: AwsKeys,
  scope: Scope,
  at: Date,
): Record<string, string> {
  const time = at.toISOString().replace(/[-:]|\.\d+/g, "");
  const own = {
    "x-amz-date": time,
    ...(keys.sessionToken === null ? {} : { "x-amz-security-token": keys.sessionToken }),
  };
  const { host } = new URL(request.url);
  const signed = Object.entries({ ...request.headers, ...own, host })
    .map(([name, value]): [string, string] => [name.toLowerCase(), tidy(value)])
    .filter(([name]) => name === "host" || name === "content-type" || name.startsWith("x-amz-"))
    .toSorted(byName);
  const names = signed.map(([name]) => name).join(";");
  const day = time.slice(0, 8);
  const place = `${day}/${scope.region}/${scope.service}/aws4_request`;
  const toSign = [ALGORITHM, time, place, sha256(canonical(request, signed, names))].join("\n");
  const signature = [day, scope.region, scope.service, "aws4_request", toSign].reduce<Uint8Array>(
    (key, text) => hmac(key, text),
    Buffer.from(`AWS4${keys.secretAccessKey}`),
  );
  const parts = [
    `Credential=${keys.accessKeyId}/${place}`,
    `SignedHeaders=${names}`,
    `Signature=${Buffer.from(signature).toString("hex")}`,
  ];
  return { ...own, authorization: `${ALGORITHM} ${parts.join(", ")}` };
}

function canonical(request: Signable, signed: [string, string][], names: string): string {
  const url = new URL(request.url);
  return [
    request.method,
    // Encoded once more than on the line: so all services but S3 want it.
    url.pathname.split("/").map(encode).join("/"),
    canonicalQuery(url.searchParams),
    ...signed.map(([name, value]) => `${name}:${value}`),
    "",
    names,
    sha256(request.body),
  ].join("\n");
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .map(([name, value]): [string, string] => [encode(name), encode(value)])
    .toSorted((a, b) => byName(a, b) || byName([a[1], ""], [b[1], ""]))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

/** By code unit, as the signature wants it; never by the rules of a language. */
function byName([a]: [string, string], [b]: [string, string]): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function tidy(value: string): string {
  return value.trim().replace(/ +/g, " ");
}

function sha256(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

function hmac(key: Uint8Array, text: string): Uint8Array {
  return new Bun.CryptoHasher("sha256", key).update(text).digest();
}
