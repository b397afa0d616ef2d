// Pictures as they are sent: within bounds, upright, decoded, and nothing of what a camera wrote into them.
import { expect, test } from "bun:test";
import { sentence } from "../../src/base/failure.ts";
import { fitImage, type Fitted } from "../../src/tools/image.ts";
import { GIF, jpeg, png, pngOf } from "../support/pictures.ts";

async function fit(bytes: Uint8Array, mediaType: string): Promise<Omit<Fitted, "bytes">> {
  const image = await fitImage(bytes, mediaType);
  if (!image.ok) throw new Error(sentence(image.failure));
  const { bytes: sent, ...rest } = image.value;
  const real = await new Bun.Image(sent, { autoOrient: false }).metadata();
  expect([real.width, real.height, `image/${real.format}`]).toEqual([
    rest.width,
    rest.height,
    rest.mediaType,
  ]);
  return rest;
}

test("a small PNG or WebP is sent as it is", async () => {
  const small = png(60, 40);
  const webp = await new Bun.Image(small).webp({ lossless: true }).bytes();
  for (const [bytes, mediaType] of [
    [small, "image/png"],
    [webp, "image/webp"],
  ] as const) {
    const size = { width: 60, height: 40 };
    expect(await fitImage(bytes, mediaType)).toEqual({
      ok: true,
      value: { bytes, mediaType, ...size, original: size },
    });
  }
});

test("a large one is made smaller, its shape kept", async () => {
  expect(await fit(png(3000, 1500), "image/png")).toEqual({
    mediaType: "image/png",
    width: 2000,
    height: 1000,
    original: { width: 3000, height: 1500 },
  });
});

test("a JPEG is turned upright, and what the camera wrote is left out", async () => {
  const photo = await jpeg(300, 200, 6);
  expect(photo.includes("48.2082 N")).toBe(true);
  expect(await fit(photo, "image/jpeg")).toEqual({
    mediaType: "image/jpeg",
    width: 200,
    height: 300,
    original: { width: 200, height: 300 },
  });
  const sent = await fitImage(photo, "image/jpeg");
  const bytes = sent.ok ? Buffer.from(sent.value.bytes) : Buffer.from("48.2082 N");
  expect([bytes.includes("48.2082 N"), bytes.includes("Exif")]).toEqual([false, false]);
});

test("a GIF is sent as a PNG, for not all take one that moves", async () => {
  const size = { width: 1, height: 1 };
  expect(await fit(GIF, "image/gif")).toEqual({
    mediaType: "image/png",
    ...size,
    original: size,
  });
});

test("what is still too many bytes as PNG becomes a JPEG", async () => {
  const noise = png(1500, 1200, 7);
  expect(noise.length).toBeGreaterThan(3_750_000);
  const size = { width: 1500, height: 1200 };
  expect(await fit(noise, "image/png")).toEqual({
    mediaType: "image/jpeg",
    ...size,
    original: size,
  });
});

test.each([
  ["a header alone", pngOf(10, 10, Buffer.alloc(0)), "it is damaged and cannot be decoded"],
  ["half a file", png(64, 64, 1).subarray(0, 5000), "it is damaged and cannot be decoded"],
  ["a header of 10 gigapixels", pngOf(100_000, 100_000, Buffer.alloc(9)), "too many"],
  ["one endless row", pngOf(50_000, 1, Buffer.alloc(9)), "too many to decode"],
  ["no picture", Buffer.from("hello"), "it is damaged and cannot be decoded"],
])("%s is refused", async (_, bytes, why) => {
  const image = await fitImage(bytes, "image/png");
  expect(image.ok ? "sent" : sentence(image.failure)).toContain(why);
});
