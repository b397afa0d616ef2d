// What a file is by its first bytes, for saying so where its content cannot be shown.

/** First bytes in hexadecimal; `.` stands for any digit. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ["89504e47", "PNG image"],
  ["ffd8ff", "JPEG image"],
  ["47494638", "GIF image"],
  ["52494646........57454250", "WebP image"],
  ["52494646........57415645", "WAV audio"],
  ["424d", "BMP image"],
  ["00000100", "icon"],
  ["25504446", "PDF document"],
  ["494433", "MP3 audio"],
  ["fff.", "MP3 audio"],
  ["4f676753", "Ogg audio or video"],
  ["664c6143", "FLAC audio"],
  ["........66747970", "MP4 audio or video"],
  ["1a45dfa3", "Matroska or WebM video"],
  ["504b0304", "ZIP archive or document (docx, xlsx, jar …)"],
  ["1f8b", "gzip data"],
  ["28b52ffd", "zstd data"],
  ["fd377a585a00", "xz data"],
  ["425a68", "bzip2 data"],
  ["377abcaf271c", "7z archive"],
  ["7f454c46", "ELF executable"],
  ["cafebabe", "Java class or universal binary"],
  ["cffaedfe", "Mach-O executable"],
  ["4d5a", "Windows executable"],
  ["0061736d", "WebAssembly module"],
  ["53514c69746520666f726d6174203300", "SQLite database"],
  ["774f4632", "WOFF2 font"],
];

/** Null: unknown. */
export function fileType(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 16)).toString("hex");
  const known = SIGNATURES.find(([signature]) => new RegExp(`^${signature}`).test(start));
  return known?.[1] ?? null;
}
