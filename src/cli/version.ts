// The version: put in by the build, `dev` when running from source.

export function version(): string {
  return typeof BUILD_VERSION === "string" ? BUILD_VERSION : "dev";
}
