// Pictures, sound and documents that were read: as parts for a model that takes them, else as a sentence with the way on.
import { sentence } from "../base/failure.ts";
import { fileType } from "../base/file-type.ts";
import { byteSize } from "../base/text.ts";
import { shellWord } from "../base/shell-word.ts";
import type { MediaPart } from "../model/request.ts";
import { shownPath } from "./names.ts";
import type { Media, Piece } from "./page.ts";
import type { Kit } from "./tool.ts";

const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** Every request carries all of them again: more than this is refused by most providers. */
const MAX_HELD_CHARS = 24 * 1024 * 1024;

/** `held`: base64 characters of what this call gives already. */
export async function mediaPiece(media: Media, kit: Kit, held: number): Promise<Piece> {
  const size = byteSize(media.bytes.length);
  const what = `${fileType(media.bytes) ?? media.mediaType}, ${size}`;
  const name = shownPath(media.path, kit.cwd);
  if (media.bytes.length > MAX_FILE_BYTES)
    return described(what, `more than 20 MB; ${way(media, name)}`);
  if (!(await kit.media.accepts())[media.kind]) {
    return described(what, `this model takes no ${PLURALS[media.kind]}; ${way(media, name)}`);
  }
  const sent = media.kind === "image" ? await picture(media, name) : asIs(media, name);
  if (typeof sent === "string") return described(what, sent);
  if (held + kit.media.held() + sent.part.data.length > MAX_HELD_CHARS) {
    const because = "this conversation holds as much media as a request may carry";
    return described(what, `${because}; go on in a new session, or make it smaller`);
  }
  const text = `[${what}${sent.note}: it follows as ${name}]`;
  return { ...pieceOf(text), summary: what, parts: [sent.part] };
}

const PLURALS = { image: "images", audio: "audio", file: "documents" } as const;

type Sent = { part: MediaPart; note: string };

async function picture({ bytes, mediaType }: Media, name: string): Promise<Sent | string> {
  const { fitImage } = await import("./image.ts");
  const image = await fitImage(bytes, mediaType);
  if (!image.ok) return sentence(image.failure);
  const { width, height, original } = image.value;
  const isScaled = width !== original.width || height !== original.height;
  const scale = isScaled ? `, sent as ${width} × ${height}` : "";
  const frame = mediaType === "image/gif" ? ", its first frame" : "";
  return {
    part: {
      type: "image",
      mediaType: image.value.mediaType,
      data: Buffer.from(image.value.bytes).toString("base64"),
      name,
    },
    note: `, ${original.width} × ${original.height} pixels${scale}${frame}`,
  };
}

function asIs({ kind, mediaType, bytes }: Media, name: string): Sent {
  const data = Buffer.from(bytes).toString("base64");
  return { part: { type: kind, mediaType, data, name }, note: "" };
}

/** What the model can do instead. */
function way({ kind, path }: Media, name: string): string {
  const quoted = shellWord(path);
  switch (kind) {
    case "file":
      return `get its text with bash: pdftotext -layout ${quoted} -`;
    case "image":
      return `read what it says with a command such as tesseract ${quoted} -, or ask the user what ${name} shows`;
    case "audio":
      return `transcribe it with a command, or ask the user what ${name} says`;
  }
}

function described(what: string, because: string): Piece {
  return { ...pieceOf(`[${what}, not shown: ${because}]`), summary: `${what}, not shown` };
}

function pieceOf(text: string): Piece {
  return { text, bytes: Buffer.byteLength(text), lines: 0, leftLines: 0, summary: text };
}
