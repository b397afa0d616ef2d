// The exit codes of burin, named once.

/** It started and failed. */
export const EXIT_FAILED = 1;
/** It could not start: flag, settings, key, session. */
export const EXIT_USAGE = 2;
/** A limit stopped it. */
export const EXIT_LIMIT = 3;
/** Policy stopped it. */
export const EXIT_DENIED = 4;
/** Stopped by a signal: 128 and its number. */
export const EXIT_SIGNAL = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
/** The reader of standard output went away: 128 + SIGPIPE. */
export const EXIT_PIPE = 141;
