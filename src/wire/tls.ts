// Whose certificates are accepted: the built-in roots with NODE_EXTRA_CA_CERTS and SSL_CERT_FILE, and then the system's.

/** For fetch and WebSocket; null leaves it to the runtime. */
export type TlsOptions = { ca: string[] } | { rejectUnauthorized: false };

export type Trust = {
  options(): Promise<TlsOptions | null>;
  /** After a certificate that leads to no known authority: whether there are more authorities to try it with. */
  widen(): Promise<boolean>;
};

export type TrustSettings = {
  /** Any certificate will do. */
  isInsecure: boolean;
  /** Certificates of further authorities, as PEM text; null: none. */
  authorities: string | null;
};

/** Where lists of authorities come from; reading them takes a while, so nothing is read before it is needed. */
export type Roots = { known(): Promise<string[]>; system(): Promise<string[]> };

export function openTrust(settings: TrustSettings, roots: Roots = RUNTIME): Trust {
  const { isInsecure, authorities } = settings;
  const state: { ca: string[] | null; isWide: boolean } = { ca: null, isWide: false };
  return {
    async options() {
      if (isInsecure) return { rejectUnauthorized: false };
      if (authorities !== null) state.ca ??= [...(await roots.known()), authorities];
      return state.ca === null ? null : { ca: state.ca };
    },
    async widen() {
      if (isInsecure || state.isWide) return false;
      state.isWide = true;
      const found = await roots.system();
      state.ca = [...(state.ca ?? (await roots.known())), ...found];
      return found.length > 0;
    },
  };
}

const RUNTIME: Roots = {
  known: async () => (await import("node:tls")).getCACertificates("default"),
  system: async () => (await import("node:tls")).getCACertificates("system"),
};

/** What goes wrong with a certificate only because its authority is not known. */
const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

export function isUnknownAuthority(code: string): boolean {
  return UNKNOWN_AUTHORITY.has(code);
}
