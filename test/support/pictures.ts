// Pictures made for tests: PNG files of any size and noise, and JPEG files that a camera held another way up.
import { deflateSync } from "node:zlib";
import { random } from "./random.ts";

const BYTES_PER_PIXEL = 3;

/** `seed` null: one grey; else noise, which does not compress. */
export function png(width: number, height: number, seed: number | null = null): Buffer {
  const row = width * BYTES_PER_PIXEL + 1;
  const raw = Buffer.alloc(row * height, 0x55);
  if (seed !== null) {
    const noise = random(seed);
    for (let at = 0; at < raw.length; at += 1) raw[at] = noise.int(256);
  }
  for (let y = 0; y < height; y += 1) raw[y * row] = 0;
  return pngOf(width, height, deflateSync(raw));
}

/** A header that claims a size; what follows holds no picture. */
export function pngOf(width: number, height: number, data: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  out.set(body, 4);
  out.writeUInt32BE(Bun.hash.crc32(body), body.length + 4);
  return out;
}

/** With an EXIF block that holds the orientation (1 to 8) and a place. */
export async function jpeg(width: number, height: number, orientation: number): Promise<Buffer> {
  const plain = Buffer.from(await new Bun.Image(png(width, height)).jpeg().bytes());
  const tiff = Buffer.alloc(26);
  tiff.write("MM", 0, "latin1");
  tiff.writeUInt16BE(42, 2);
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(1, 8);
  tiff.writeUInt16BE(0x0112, 10);
  tiff.writeUInt16BE(3, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  const block = Buffer.concat([Buffer.from("Exif\0\0"), tiff, Buffer.from("48.2082 N 16.3738 E")]);
  const marker = Buffer.from([0xff, 0xe1, 0, 0]);
  marker.writeUInt16BE(block.length + 2, 2);
  return Buffer.concat([plain.subarray(0, 2), marker, block, plain.subarray(2)]);
}

/** One black point. */
export const GIF = Buffer.from(
  "47494638396101000100800000000000ffffff2c00000000010001000002024401003b",
  "hex",
);
