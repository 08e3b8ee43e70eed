/** Exit codes and their meanings; `other` describes codes that come from another program. */
export interface ExitCodes {
  readonly [code: number]: string;
  readonly other?: string;
}

/** Every exit code of the command line. */
export const EXIT_CODES = {
  0: "success",
  1: "problems found, or the command failed",
  2: "wrong usage: an unknown command or option, a bad value, or an invalid skillset.json",
  129: "ended by SIGHUP",
  130: "interrupted by Ctrl-C",
  143: "ended by SIGTERM",
} as const satisfies ExitCodes;

/** The codes that a command can return, with the meanings it defines for itself. */
export function exitCodesOf(exitCodes: ExitCodes = {}): ExitCodes {
  const { 0: success, 1: failure, 2: usage, 130: interrupted } = EXIT_CODES;
  return { 0: success, 1: failure, 2: usage, 130: interrupted, ...exitCodes };
}
