// Which addresses belong to the public internet: everything else may be this machine, its network, or a cloud's metadata.

/** Not public: by the registries of special-purpose addresses, but for one. */
const RESERVED_V4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // A cloud's own address, though it lies among the public ones: it answers its machines with what is theirs alone.
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];
/** Of IPv6 only 2000::/3 is in public use; within it these are not. 2002:: would lead on to any IPv4 address. */
const PUBLIC_V6 = ["2000::", 3] as const;
const RESERVED_V6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];
/** Addresses that hold an IPv4 address at their end, and lead there: mapped ones, and NAT64. */
const CARRIES_V4: readonly (readonly [string, number])[] = [
  ["::ffff:0:0", 96],
  ["64:ff9b::", 96],
];

/** `address` as a resolver gives it; what is no address is not public. */
export function isPublicAddress(address: string): boolean {
  const bytes = bytesOf(address);
  if (bytes === null) return false;
  if (bytes.length === 4) return isPublicV4(bytes);
  if (CARRIES_V4.some((range) => isWithin(bytes, range))) return isPublicV4(bytes.slice(12));
  return isWithin(bytes, PUBLIC_V6) && !RESERVED_V6.some((range) => isWithin(bytes, range));
}

/** Whether the address lies in a range such as 10.0.0.0/8 or fd00::/8. */
export function isInRange(address: string, range: string): boolean {
  const [start = "", bits = ""] = range.split("/");
  const bytes = bytesOf(address);
  return bytes !== null && /^\d{1,3}$/.test(bits) && isWithin(bytes, [start, Number(bits)]);
}

function isPublicV4(bytes: readonly number[]): boolean {
  return !RESERVED_V4.some((range) => isWithin(bytes, range));
}

function isWithin(bytes: readonly number[], [start, bits]: readonly [string, number]): boolean {
  const first = bytesOf(start);
  if (first?.length !== bytes.length) return false;
  return bytes.every((byte, at) => {
    const left = Math.max(0, Math.min(8, bits - at * 8));
    return byte >> (8 - left) === (first[at] ?? 0) >> (8 - left);
  });
}

/** Four or sixteen bytes; null where the text is no address. */
function bytesOf(address: string): number[] | null {
  // A zone names an interface of this machine.
  if (address.includes("%")) return null;
  return address.includes(":") ? bytesOfV6(address) : bytesOfV4(address);
}

function bytesOfV4(text: string): number[] | null {
  const parts = text.split(".");
  const isDotted = parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part));
  const bytes = parts.map(Number);
  return isDotted && bytes.every((byte) => byte <= 255) ? bytes : null;
}

function bytesOfV6(text: string): number[] | null {
  const [head = "", tail, more] = text.split("::");
  if (more !== undefined) return null;
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  if (before === null || after === null) return null;
  const missing = 16 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 2) return null;
  return [...before, ...Array.from({ length: missing }, () => 0), ...after];
}

function groupsOf(text: string): number[] | null {
  if (text === "") return [];
  const parts = text.split(":");
  const bytes: number[] = [];
  for (const [at, part] of parts.entries()) {
    const isLast = at === parts.length - 1;
    const group = isLast && part.includes(".") ? bytesOfV4(part) : bytesOfGroup(part);
    if (group === null) return null;
    bytes.push(...group);
  }
  return bytes;
}

function bytesOfGroup(part: string): number[] | null {
  if (!/^[\da-f]{1,4}$/i.test(part)) return null;
  const value = Number.parseInt(part, 16);
  return [value >> 8, value & 255];
}
