import { randomBytes } from "node:crypto";
import { untilAborted } from "../../../core/base/until-aborted.ts";
import { DENO_RUN, type Language } from "../../process/interpreter.ts";
import { quote } from "../../process/quote.ts";
import type { RemoteSession } from "./remote-session.ts";

/** What is known of the other machine. */
export interface Machine {
  /** Our private folder there. */
  readonly base: string;
  readonly path: string;
  /** The command that runs a script of a language, without the script. Undefined if nothing there can. */
  interpreter(language: Language): readonly string[] | undefined;
  /** Whether `sha256sum` exists. */
  readonly hasSums: boolean;
  /** Whether `timeout` exists. */
  readonly hasTimeout: boolean;
  /** The size of a page of memory, if `/proc` shows processes with their variables. */
  readonly pageSize: number | undefined;
}

/** Creates a private folder on the other machine, and looks up what it has. */
export async function openMachine(session: RemoteSession, folder: string, signal: AbortSignal): Promise<Machine> {
  const base = `${folder}/skillset-${randomBytes(16).toString("hex")}`;
  const { exitCode, stdout } = await command(session, `umask 077; mkdir ${quote(base)} && { ${PROBE}; }`, signal);
  if (exitCode !== 0) throw new Error(`The folder '${folder}' cannot be used there. Set the option 'folder'.`);
  const found = new Map(
    stdout.split("\n").map((line) => {
      const at = line.indexOf("=");
      return [line.slice(0, at), line.slice(at + 1).trim()] as const;
    }),
  );
  const has = (name: string): boolean => found.get(name)?.startsWith("/") ?? false;
  return {
    base,
    path: found.get("path") ?? "",
    hasSums: has("sha256sum"),
    hasTimeout: has("timeout"),
    pageSize: found.get("proc") === "yes" ? Number(found.get("page")) || 4096 : undefined,
    interpreter: (language) => {
      const candidates = INTERPRETERS[language](found.get("typescript") ?? "");
      return candidates.find(([program]) => program !== undefined && has(program));
    },
  };
}

/** Runs our own command line, at most until the signal aborts. */
export async function command(
  session: RemoteSession,
  line: string,
  signal: AbortSignal,
): Promise<{ exitCode: number; stdout: string }> {
  signal.throwIfAborted();
  return untilAborted(signal, Promise.resolve(session.run({ command: line, abortSignal: signal })));
}

const PROGRAMS = ["sh", "bash", "python3", "node", "deno", "ruby", "perl", "sha256sum", "timeout"];

const TYPESCRIPT =
  "process.features.typescript ? 'yes' : process.allowedNodeEnvironmentFlags.has('--experimental-strip-types') && 'flag'";

const PROBE = [
  `printf 'path=%s\\n' "$PATH"`,
  `for name in ${PROGRAMS.join(" ")}; do printf '%s=%s\\n' "$name" "$(command -v "$name")"; done`,
  `if test -r "/proc/$$/environ"; then echo proc=yes; fi`,
  `printf 'page=%s\\n' "$(getconf PAGESIZE 2>/dev/null)"`,
  `printf 'typescript=%s\\n' "$(node -p ${quote(TYPESCRIPT)} 2>/dev/null)"`,
].join("; ");

const QUIET = "--disable-warning=ExperimentalWarning";

const INTERPRETERS: Readonly<Record<Language, (typescript: string) => readonly (readonly string[])[]>> = {
  shell: () => [["sh"]],
  bash: () => [["bash"]],
  python: () => [["python3", "-B", "-u"]],
  javascript: () => [["node"]],
  typescript: (answer) => [
    ...(answer === "yes" ? [["node", QUIET]] : []),
    ...(answer === "flag" ? [["node", "--experimental-strip-types", QUIET]] : []),
    ["deno", ...DENO_RUN],
  ],
  ruby: () => [["ruby"]],
  perl: () => [["perl"]],
};
