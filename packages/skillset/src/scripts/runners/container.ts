import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../core/base/message-of.ts";
import type { ScriptEnd, ScriptJob, ScriptRunner } from "../../core/script/script.ts";
import { checkOptions, type OptionTable } from "../../core/text/check-options.ts";
import { makeTemporaryFolder, removeOwnedFolder } from "../../node/copy/owned-folder.ts";
import { cannotRunWithout } from "../process/cannot-run.ts";
import { type Interpreter, missingInterpreter, onPath } from "../process/find-interpreter.ts";
import type { Language } from "../process/interpreter.ts";
import { refuseFailures } from "../process/refuse-failures.ts";
import { fillArguments, KNOWN_VARIABLES, scriptLanguage } from "../process/script-command.ts";
import { askEngine, ENGINES, type Engine } from "./container/engine.ts";
import { LIST_INTERPRETERS, readInterpreters } from "./container/image-interpreters.ts";
import { runInContainer } from "./container/run-in-container.ts";
import { INSIDE } from "./sandbox/profile.ts";
import { tryPromises } from "./sandbox/try-promises.ts";

/** Options of `container`. */
export interface ContainerOptions {
  /** The image, which must be on this machine. It needs `/bin/sh`, `env`, `sed` and the interpreters of the scripts. */
  readonly image: string;
  /**
   * What runs containers.
   * @default podman if it is installed, otherwise docker
   */
  readonly engine?: Engine["name"];
  /**
   * The OCI runtime, such as `runc` or `runsc`.
   * @default the engine's
   */
  readonly runtime?: string;
}

/**
 * Runs each script in a new container: no network, a read-only image, no capabilities, and a user without rights.
 *
 * @example
 * ```ts
 * import { createSkillset } from "skillset";
 * import { container } from "skillset/scripts";
 *
 * const runner = container({ image: "docker.io/library/python:3.13-slim" });
 * const skills = await createSkillset(["./skills"], { scripts: { runner, consent: () => "once" } });
 * ```
 */
export function container(options: ContainerOptions): ScriptRunner & { readonly isInstalled: boolean } {
  checkOptions("container()", options, OPTIONS);
  const { image, engine, runtime } = options;
  const opened = findEngine(engine, runtime);
  let interpreters: ReadonlyMap<Language, Interpreter> = new Map();
  let checked: Promise<string | undefined> | undefined;
  const run = async (job: ScriptJob, found: Engine): Promise<ScriptEnd> => {
    const { language, reason = "" } = scriptLanguage(job);
    if (language === undefined) return { outcome: "refused", reason };
    const interpreter = interpreters.get(language);
    if (interpreter === undefined) return { outcome: "refused", reason: missingInterpreter(language) };
    const { script, args, ...rest } = job;
    if (args.some((arg) => arg.includes("\0")))
      return { outcome: "refused", reason: "An argument of the script contains a NUL character." };
    const path = join(INSIDE.skill, script);
    const command = [interpreter.program, ...interpreter.args, path, ...fillArguments(args, INSIDE)];
    return runInContainer({ ...rest, engine: found, image, command });
  };
  const test = async (found: Engine): Promise<string | undefined> => {
    if ((await askEngine(found, "version")) === undefined)
      return `'${found.name} version' fails. Start ${found.name}, and allow this user to use it.`;
    if ((await askEngine(found, "image", "inspect", image)) === undefined)
      return `the image '${image}' is not on this machine. Run: ${found.name} pull ${image}`;
    const listed = await listInterpreters(found, image);
    if (listed.outcome === "refused") return notStarted(listed.reason);
    if (listed.outcome !== "exited" || listed.exitCode !== 0) return notStarted(listed.stderr.trim());
    interpreters = readInterpreters(listed.stdout);
    return tryPromises(makeFolder(), { name: "check.sh", text: SCRIPT }, (job) => run(job, found), notStarted);
  };
  const check = async (): Promise<string | undefined> => {
    if (opened === undefined) return `${engine ?? "podman or docker"} is not installed.`;
    checked ??= test(opened).catch((error) => `it cannot be tested: ${messageOf(error)}`);
    return checked;
  };
  return {
    level: "container",
    isInstalled: opened !== undefined,
    check,
    cannotRun: cannotRunWithout(async (language) => (await check()) ?? interpreters.get(language)),
    run: refuseFailures(async (job: ScriptJob): Promise<ScriptEnd> => {
      if (job.signal.aborted) return { outcome: "aborted", command: [], stdout: "", stderr: "" };
      if (opened === undefined || (await check()) !== undefined)
        return { outcome: "refused", reason: "The container does not work on this machine." };
      return run(job, opened);
    }),
  };
}

function findEngine(wanted: Engine["name"] | undefined, runtime: string | undefined): Engine | undefined {
  for (const name of wanted === undefined ? ENGINES : [wanted]) {
    const [program] = onPath(name);
    if (program !== undefined) return { name, program, runtime };
  }
  return undefined;
}

async function listInterpreters(engine: Engine, image: string): Promise<ScriptEnd> {
  const folder = makeFolder();
  const [skillFolder, outputFolder] = ["skill", "output"].map((name) => join(folder, name)) as [string, string];
  try {
    for (const one of [skillFolder, outputFolder]) mkdirSync(one, { mode: 0o755 });
    return await runInContainer({
      ...{ engine, image, skillFolder, outputFolder, command: ["/bin/sh", "-c", LIST_INTERPRETERS] },
      limits: { time: 60_000, output: 10_000, memory: 2 ** 29, processes: 64, files: 1_000_000 },
      signal: new AbortController().signal,
      onOutput: () => {},
    });
  } finally {
    removeOwnedFolder(folder);
  }
}

/** A temporary folder that the container's user can enter. */
function makeFolder(): string {
  const folder = makeTemporaryFolder("skillset-container-");
  chmodSync(folder, 0o711);
  return folder;
}

/** Each line is the name of a broken promise. */
const SCRIPT = `
broken() { echo "$1"; }
[ "$(id -u)" -ne 0 ] || broken root
[ ! -e "$1" ] || broken files
{ true >/skill/new; } 2>/dev/null && broken skill
{ true >/etc/new; } 2>/dev/null && broken files
{ echo written >/output/new; } 2>/dev/null || broken output
while read -r name rest; do case "$name" in lo:*|*'|'*|face|Inter-) ;; *) broken network; esac; done </proc/net/dev
for name in $(env | sed 's/=.*//'); do
  case "$name" in ${KNOWN_VARIABLES.join("|")}) ;; *) broken environment; esac
done
set -- /proc/[0-9]*
[ "$#" -lt 10 ] || broken processes
echo tested
`;

function notStarted(reason: string): string {
  return `the container does not start: ${reason.split("\n").at(-1) ?? ""}`;
}

const OPTIONS: OptionTable<ContainerOptions> = {
  image: true,
  engine: true,
  runtime: true,
};
