// Text assets that the bundler inlines as strings.
declare module "*.md" {
  const text: string;
  export default text;
}
declare module "*.txt" {
  const text: string;
  export default text;
}
/** The version, put in by scripts/build.ts; absent when running from source. */
declare const BUILD_VERSION: string;
