// What a model may take, by the names that the settings use.

export const MODALITIES = ["text", "image", "audio", "pdf"] as const;

export type Modality = (typeof MODALITIES)[number];
