// Pictures, sound and documents that models may take, told by their first bytes, whatever the file is called.

export type MediaType = { kind: "image" | "audio" | "file"; mediaType: string };

/** First bytes in hexadecimal; `.` stands for any digit. */
const SIGNATURES: readonly (readonly [string, MediaType])[] = [
  ["89504e470d0a1a0a", { kind: "image", mediaType: "image/png" }],
  ["ffd8ff", { kind: "image", mediaType: "image/jpeg" }],
  ["47494638(?:37|39)61", { kind: "image", mediaType: "image/gif" }],
  ["52494646........57454250", { kind: "image", mediaType: "image/webp" }],
  ["424d........0000", { kind: "image", mediaType: "image/bmp" }],
  ["255044462d", { kind: "file", mediaType: "application/pdf" }],
  ["52494646........57415645", { kind: "audio", mediaType: "audio/wav" }],
  ["494433", { kind: "audio", mediaType: "audio/mpeg" }],
  ["fff[2-7a-f]", { kind: "audio", mediaType: "audio/mpeg" }],
  ["4f676753", { kind: "audio", mediaType: "audio/ogg" }],
  ["664c6143", { kind: "audio", mediaType: "audio/flac" }],
];

/** Null: none of them. */
export function mediaTypeOf(bytes: Uint8Array): MediaType | null {
  const start = Buffer.from(bytes.subarray(0, 16)).toString("hex");
  const known = SIGNATURES.find(([signature]) => new RegExp(`^${signature}`).test(start));
  return known?.[1] ?? null;
}
