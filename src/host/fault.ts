// Errors of the system in words.

/** A system error in words, with its code. */
export function fault(error: unknown): string {
  const code = errorCode(error);
  const words = code === null ? undefined : WORDS[code];
  if (words !== undefined) return `${words} (${code})`;
  return code ?? String(error);
}

/** `ENOENT` and the like; null where the error has no code. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : null;
}

const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  EACCES: "no permission",
  EPERM: "no permission",
  ENOENT: "it does not exist",
  EEXIST: "something else has that name",
  ENOTDIR: "a part of the path is not a folder",
  EISDIR: "it is a folder",
  ELOOP: "it is a symbolic link",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "the path is too long",
  EIO: "the disk reports an error",
};
