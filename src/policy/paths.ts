// What policy knows of paths: inside or outside a folder, and which files hold secrets.

/** Both sides are real, absolute paths. */
export function isInside(path: string, folders: readonly string[]): boolean {
  return folders.some(
    (folder) => path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`),
  );
}

/** Private keys, environment files, credential stores, browser and cloud profiles. */
const SECRET: readonly RegExp[] = [
  /(^|\/)\.env(\.(?!example$|sample$|template$|dist$)[^/]*)?$/,
  /(^|\/)\.envrc$/,
  /(^|\/)(id_(rsa|dsa|ecdsa|ed25519)|[^/]*\.(pem|key|p12|pfx|jks|keystore|kdbx))$/,
  /(^|\/)\.(netrc|pgpass|my\.cnf|npmrc|pypirc|git-credentials|htpasswd)$/,
  /(^|\/)\.(ssh|gnupg|aws|azure|kube|password-store|mozilla)\//,
  /(^|\/)\.config\/(gcloud|gh|op|google-chrome|chromium)\//,
  /(^|\/)\.docker\/config\.json$/,
  /(^|\/)\.cargo\/credentials(\.toml)?$/,
  /^\/etc\/(shadow|gshadow|sudoers)/,
  /^\/proc\/[^/]+\/(environ|mem)$/,
];

export function isSecret(path: string): boolean {
  return SECRET.some((pattern) => pattern.test(path));
}
