// A picture as models take it: decoded to be sure that it is one, upright, within bounds, without what a camera wrote into it.
import { broken, invalid, ok, type Result } from "../base/failure.ts";

export type Fitted = {
  bytes: Uint8Array;
  mediaType: string;
  /** In pixels, as it is sent and as the file has it. */
  width: number;
  height: number;
  original: { width: number; height: number };
};

/** Models look at no more than this; larger pictures only cost. */
const MAX_SIDE = 2000;
/** In base64 a third more: the smallest limit of the providers is 5 MB. */
const MAX_SENT_BYTES = 3_750_000;
/** Four bytes each while it is decoded: a small file may hold a picture that would take all memory. */
const MAX_PIXELS = 50_000_000;
/** One row may take five times its pixels. */
const MAX_FILE_SIDE = 40_000;
const QUALITY = 85;
/** Tried in turn while the picture is still too large in bytes. */
const SMALLER = [
  { side: MAX_SIDE, quality: QUALITY },
  { side: 1400, quality: 75 },
  { side: 1000, quality: 60 },
] as const;

/** What the header says; fails where there is no picture, or one too large to be decoded. */
export async function imageSize(
  bytes: Uint8Array,
): Promise<Result<{ width: number; height: number }>> {
  try {
    const { width, height } = await opened(bytes).metadata();
    if (width * height <= MAX_PIXELS && Math.max(width, height) <= MAX_FILE_SIDE) {
      return ok({ width, height });
    }
    return invalid(`${width} × ${height} pixels are too many to decode: make it smaller first`);
  } catch (error) {
    return broken(whyNot(error));
  }
}

export async function fitImage(bytes: Uint8Array, mediaType: string): Promise<Result<Fitted>> {
  const size = await imageSize(bytes);
  if (!size.ok) return size;
  try {
    const sent = await fitted(bytes, mediaType, size.value);
    return sent === null
      ? invalid("it stays too large to be sent however it is made smaller")
      : ok(sent);
  } catch (error) {
    return broken(whyNot(error));
  }
}

async function fitted(
  bytes: Uint8Array,
  mediaType: string,
  original: { width: number; height: number },
): Promise<Fitted | null> {
  const isSmall = Math.max(original.width, original.height) <= MAX_SIDE;
  const isLossless = mediaType === "image/png" || mediaType === "image/webp";
  if (isSmall && isLossless && bytes.length <= MAX_SENT_BYTES) {
    // Decoded all the same: a damaged picture would fail every later request of the session.
    await inside(bytes, 1).png().bytes();
    return { bytes, mediaType, ...original, original };
  }
  if (mediaType !== "image/jpeg") {
    const image = inside(bytes, MAX_SIDE).png();
    const sent = await image.bytes();
    const { width, height } = image;
    if (sent.length <= MAX_SENT_BYTES) {
      return { bytes: sent, mediaType: "image/png", width, height, original };
    }
  }
  return asJpeg(bytes, original);
}

/** Turned upright as the camera says, and without its notes: among them is where the picture was taken. */
async function asJpeg(bytes: Uint8Array, original: Fitted["original"]): Promise<Fitted | null> {
  for (const { side, quality } of SMALLER) {
    const image = inside(bytes, side).jpeg({ quality });
    const sent = await image.bytes();
    const { width, height } = image;
    if (sent.length <= MAX_SENT_BYTES)
      return { bytes: sent, mediaType: "image/jpeg", width, height, original };
  }
  return null;
}

function opened(bytes: Uint8Array): Bun.Image {
  return new Bun.Image(bytes, { maxPixels: MAX_PIXELS });
}

function inside(bytes: Uint8Array, side: number): Bun.Image {
  return opened(bytes).resize(side, side, { fit: "inside", withoutEnlargement: true });
}

function whyNot(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : "";
  if (code === "ERR_IMAGE_TOO_MANY_PIXELS") return "it has too many pixels to decode";
  if (code === "ERR_IMAGE_FORMAT_UNSUPPORTED") return "its format cannot be decoded here";
  return "it is damaged and cannot be decoded";
}
