// What policy knows of paths: inside or outside a folder, and which files hold secrets.

/** Both sides are real, absolute paths. */
export function isInside(path: string, folders: readonly string[]): boolean {
  return folders.some(
    (folder) => path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`),
  );
}

/** Private keys, environment files, credential stores, browser and cloud profiles. */
const SECRET: readonly RegExp[] = [
  /(^|\/)\.env(\.(?!example$|sample$|template$|dist$)[^/]*)?$/i,
  /(^|\/)\.envrc$/i,
  /(^|\/)(id_(rsa|dsa|ecdsa|ed25519)|[^/]*\.(pem|key|p12|pfx|jks|keystore|kdbx))$/i,
  /(^|\/)\.(netrc|pgpass|my\.cnf|npmrc|pypirc|git-credentials|htpasswd)$/i,
  /(^|\/)\.(ssh|gnupg|aws|azure|kube|password-store|mozilla)(\/|$)/i,
  /(^|\/)\.config\/(gcloud|gh|op|google-chrome|chromium)(\/|$)/i,
  /(^|\/)\.docker\/config\.json$/i,
  /(^|\/)\.cargo\/credentials(\.toml)?$/i,
  /^\/etc\/(shadow|gshadow|sudoers)/,
  /^\/proc\/(.+\/)?(environ|mem|kcore)$/,
];

export function isSecret(path: string): boolean {
  return SECRET.some((pattern) => pattern.test(path));
}

/** What may run code later, or holds burin's own state: never written without a question. */
export function isProtected(path: string): boolean {
  return PROTECTED.some((pattern) => pattern.test(path));
}

const PROTECTED: readonly RegExp[] = [
  /(^|\/)\.git(\/|$)/i,
  /(^|\/)\.burin\/config(\.|$)/i,
  /(^|\/)\.(config|local\/(share|state))\/burin(\/|$)/i,
];
