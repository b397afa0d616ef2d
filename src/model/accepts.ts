// What a model takes beside text: by the settings, else by the catalogue, else by what its name says itself.
import type { Modality } from "../base/modalities.ts";
import type { MediaPart } from "./request.ts";

export type Accepts = Readonly<Record<MediaPart["type"], boolean>>;

export const NOTHING_BUT_TEXT: Accepts = { image: false, audio: false, file: false };
export const EVERYTHING: Accepts = { image: true, audio: true, file: true };

/** A part that a server does not know fails every later request of the session: in doubt none is sent. */
const SAYS_IT_SEES = /vision|llava|pixtral|omni|(?:^|[^a-z])vl(?![a-z])|\dvl\b/i;
const SAYS_IT_HEARS = /audio|omni|gemini/i;
/** Endpoints whose reference describes file and audio parts; compatible servers rarely know them. */
const WITH_FILES: ReadonlySet<string> = new Set(["openai", "openrouter", "anthropic", "gemini"]);

type Known = {
  provider: string;
  id: string;
  /** The user's word, which goes before everything; null where there is none. */
  modalities: readonly Modality[] | null;
  /** The catalogue's word; null for a model that it does not know. */
  sees: boolean | null;
};

export function acceptsOf({ provider, id, modalities, sees }: Known): Accepts {
  if (modalities !== null) {
    return {
      image: modalities.includes("image"),
      audio: modalities.includes("audio"),
      file: modalities.includes("pdf"),
    };
  }
  const image = sees ?? SAYS_IT_SEES.test(id);
  const hasFiles = WITH_FILES.has(provider);
  return { image, audio: hasFiles && SAYS_IT_HEARS.test(id), file: hasFiles && image };
}
