import { SkillError } from "../core/base/errors.ts";
import type { PrepareRequest } from "../core/host/script-host.ts";
import type {
  DeclaredPackages,
  PackageOptions,
  PackageRegistries,
  PackageStatus,
  PrepareEnd,
} from "../core/script/packages.ts";
import type { ScriptEnd, ScriptLimits, ScriptOutput, ScriptRunner, ScriptStopped } from "../core/script/script.ts";
import { checkOptions, type OptionTable } from "../core/text/check-options.ts";
import { FolderFiles } from "../node/skill-folder/folder-files.ts";
import { findPackages } from "./packages/find-packages.ts";
import { PackageStore, packagesKey, placesOf } from "./packages/package-store.ts";
import { checkRegistry, findRegistries } from "./packages/registries.ts";
import { UNREACHABLE } from "./packages/registry-proxy.ts";
import { MOST_ENTRIES } from "./packages/seal-folder.ts";
import type { SkillCopy } from "./skill-copies.ts";

/** Installing takes longer than running, and needs more room. */
const LIMITS: ScriptLimits = {
  time: 10 * 60_000,
  output: 1_000_000,
  memory: 2 ** 30,
  processes: 128,
  files: 2_000_000_000,
};

/** The packages that skills declare: which are installed, and installing them. */
export class SkillPackages {
  readonly #runner: ScriptRunner;
  readonly #options: PackageOptions;
  readonly #store: PackageStore;
  readonly #declared = new Map<string, Promise<DeclaredPackages>>();

  constructor(runner: ScriptRunner, options: PackageOptions = {}) {
    checkPackageOptions(options);
    this.#runner = runner;
    this.#options = options;
    this.#store = new PackageStore(options);
  }

  /** Returns what a version of a skill declares. */
  declaredBy({ folder, digest }: Pick<SkillCopy, "folder" | "digest">): Promise<DeclaredPackages> {
    const known = this.#declared.get(digest) ?? findPackages(new FolderFiles(folder));
    this.#declared.set(digest, known);
    known.catch(() => this.#declared.delete(digest));
    return known;
  }

  /** Returns the folder with a skill's packages, if they are installed and the runner can use them. */
  async folderFor(declared: DeclaredPackages): Promise<string | undefined> {
    if (isEmpty(declared) || declared.refused.length > 0 || this.#runner.platform === undefined) return undefined;
    try {
      return this.#store.find(await this.#keyOf(declared));
    } catch {
      // A folder that must not be used is reported when packages are installed. Scripts run without it.
      return undefined;
    }
  }

  /** One sentence for a script that failed because a module is missing which its skill declares. */
  hintFor(skill: string, end: ScriptEnd, declared: DeclaredPackages): string | undefined {
    if (isNothing(declared) || end.outcome !== "exited" || end.exitCode === 0) return undefined;
    if (!MISSING.test(end.stderr)) return undefined;
    const { level, platform } = this.#runner;
    if (platform === undefined)
      return `Skill '${skill}' declares packages, and the runner '${level}' cannot use packages.`;
    if (declared.refused.length > 0)
      return `Skill '${skill}' declares packages that cannot be installed. ${describeRefused(declared)}`;
    return `The packages that skill '${skill}' declares are not installed. The operator can install them: add --prepare to 'skillset run', or call 'session.scripts.prepare'.`;
  }

  async status(declared: DeclaredPackages): Promise<PackageStatus> {
    if (isNothing(declared)) return { declared, state: "none" };
    if (this.#runner.platform === undefined) return { declared, state: "unsupported" };
    const folder = await this.folderFor(declared);
    return folder === undefined ? { declared, state: "missing" } : { declared, state: "installed", folder };
  }

  /** Asks, and installs the packages of a version of a skill, unless they are installed. */
  async prepare(request: PrepareRequest, declared: DeclaredPackages, digest: string): Promise<PrepareEnd> {
    const { signal, onOutput } = request;
    const refused = (reason: string): PrepareEnd => ({ outcome: "refused", reason });
    if (declared.refused.length > 0) return refused(describeRefused(declared));
    if (isEmpty(declared)) return { outcome: "nothing-declared" };
    const { prepare, level } = this.#runner;
    if (prepare === undefined) return refused(cannotInstall(level));
    const key = await this.#keyOf(declared);
    const registries = await findRegistries(this.#options, declared);
    const from = placesOf(declared, registries);
    if (this.#store.find(key, from) !== undefined) return { outcome: "unchanged" };
    const { python, npm } = declared;
    const reason = await request.refusal(digest, { python, npm, ...withoutPasswords(registries) });
    signal.throwIfAborted();
    if (reason !== undefined) return refused(reason);
    let end: ScriptEnd | undefined;
    const isAdded = await this.#store.add(key, declared, from, async (packagesFolder) => {
      const show = (output: ScriptOutput): void => onOutput(output);
      const job = { ...registries, python, npm, packagesFolder, limits: LIMITS, signal, onOutput: show };
      end = await prepare.call(this.#runner, job);
      return end.outcome === "exited" && end.exitCode === 0;
    });
    return isAdded ? { outcome: "installed" } : describeEnd(end);
  }

  async #keyOf(declared: DeclaredPackages): Promise<string> {
    const { python, npm } = declared;
    const platforms = await Promise.all([
      python.length > 0 && this.#runner.platform?.("python"),
      npm.length > 0 && this.#runner.platform?.("javascript"),
    ]);
    return packagesKey(declared, platforms.filter(Boolean).join("; "), this.#options);
  }
}

const MISSING = /ModuleNotFoundError|ImportError|No module named|Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND/;

function cannotInstall(level: string): string {
  return `The runner '${level}' cannot install packages. Use the runner 'bubblewrap' (Linux).`;
}

function isEmpty({ python, npm }: DeclaredPackages): boolean {
  return python.length + npm.length === 0;
}

function isNothing(declared: DeclaredPackages): boolean {
  return isEmpty(declared) && declared.refused.length === 0;
}

function describeRefused({ refused }: DeclaredPackages): string {
  const [first, ...others] = refused.map(({ file, line, message }) => `${file}, line ${line}: ${message}.`);
  return others.length === 0 ? `${first}` : `${first} And ${others.length} more.`;
}

/** The last line of pip and npm that reports an error. */
function describeEnd(end: ScriptEnd | undefined): PrepareEnd {
  if (end === undefined || end.outcome === "refused") return { outcome: "failed", reason: end?.reason ?? "" };
  if (end.outcome === "aborted") return { outcome: "aborted", reason: "The installation was cancelled." };
  if (end.outcome !== "exited") return { outcome: "failed", reason: describeLimit(end) };
  const lines = end.stderr.split("\n").map((line) => line.trim());
  const line =
    lines.findLast((one) => /^(?:ERROR:|npm (?:ERR!|error) (?!A complete log|\s*$))/.test(one)) ??
    lines.findLast(Boolean);
  if (/No module named pip\b/.test(end.stderr))
    return { outcome: "failed", reason: "This Python has no pip. Install it, such as with 'apt install python3-pip'." };
  const unreachable = lines.find((one) => one.startsWith(UNREACHABLE));
  // What pip and npm say then blames the package.
  if (unreachable !== undefined) return { outcome: "failed", reason: unreachable };
  const only = /No matching distribution|Could not find a version/.test(end.stderr)
    ? ". Only wheels are installed: a package without one for this Python is not."
    : "";
  const notes = lines.filter((one) => /^(?:Refused|Stopped), because/.test(one));
  return { outcome: "failed", reason: [`${line ?? "The installer failed."}${only}`, ...notes].join(" ") };
}

function describeLimit({ outcome, stdout, stderr }: ScriptStopped): string {
  const { time, output, memory, processes, files } = LIMITS;
  const most = `${files / 1e9} GB or ${MOST_ENTRIES.toLocaleString("en")} files`;
  const isText = Math.max(Buffer.byteLength(stdout), Buffer.byteLength(stderr)) >= output;
  const reasons: Readonly<Record<ScriptStopped["outcome"], string>> = {
    aborted: "it was cancelled",
    "timed-out": `it took more than ${time / 60_000} minutes`,
    "output-limit": isText ? `it printed more than ${output / 1e6} MB` : `the packages need more than ${most}`,
    "memory-limit": `it needed more than ${memory / 2 ** 30} GB of memory`,
    "process-limit": `it had more than ${processes} processes and threads`,
  };
  return `The installation was stopped: ${reasons[outcome]}.`;
}

/** A person who consents sees the address, and so does whoever reads a log. */
function withoutPasswords({ pythonIndex, npmRegistry }: PackageRegistries): PackageRegistries {
  const shown = (address: string): string => {
    const url = new URL(address);
    url.username = url.password = "";
    return url.href;
  };
  return { pythonIndex: shown(pythonIndex), npmRegistry: shown(npmRegistry) };
}

const PACKAGE_OPTIONS: OptionTable<PackageOptions> = {
  pythonIndex: true,
  npmRegistry: true,
  folder: true,
  keepFor: true,
  maxBytes: true,
};

function checkPackageOptions(options: PackageOptions): void {
  checkOptions("The option 'scripts.packages'", options, PACKAGE_OPTIONS);
  const { pythonIndex, npmRegistry, folder, keepFor, maxBytes } = options;
  for (const [name, value] of Object.entries({ pythonIndex, npmRegistry }))
    if (value !== undefined) checkRegistry(name as keyof PackageRegistries, String(value));
  const invalid = (message: string): SkillError => new SkillError("option-invalid", message);
  if (folder !== undefined && (typeof folder !== "string" || folder === ""))
    throw invalid("'packages.folder' must be a path.");
  for (const [name, value] of Object.entries({ keepFor, maxBytes }))
    if (value !== undefined && !(typeof value === "number" && value >= 0))
      throw invalid(`'packages.${name}' must be a number of at least 0, not ${String(value)}.`);
}
