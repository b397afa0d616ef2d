// Another user to start a program as: one without a home and without rights.

const isRoot = process.getuid?.() === 0;
/** `nobody` of Debian, Fedora and Alpine. */
const NOBODY = 65_534;

if (!isRoot) console.log("not root: what another user should start is started by the same user");

/** For Bun.spawn; only root may become somebody else. */
export const AS_NOBODY = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
