import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentHome } from "../../agents/agent-definition.ts";
import { SkillError } from "../../core/base/errors.ts";
import { checkOptions, type OptionTable } from "../../core/text/check-options.ts";
import { makeTemporaryFolder, removeOwnedFolder, sweepOwnedFolders } from "../copy/owned-folder.ts";
import type { SkillInput } from "../load/sources.ts";
import { type HomeAgent, homeOf } from "./agent-homes.ts";
import { type InstallItem, installSkills } from "./install-skills.ts";
import { denySkillEdits, keepFolder, protectSkills } from "./kept-folder.ts";
import { toInstallItems } from "./native-skills.ts";

/** Options of `createTemporaryHome`. */
export interface TemporaryHomeOptions {
  /** The agent that will use the home. */
  readonly agent: HomeAgent;
  /** Paths, skills in code without tools, or a skillset. */
  readonly skills: SkillInput | readonly SkillInput[];
  /** Your folders that the agent keeps using, by variable: `{ CODEX_HOME: "/home/ann/.codex" }`. */
  readonly keep?: Readonly<Record<string, string>>;
  /** Additional environment variables, such as a key. From your environment, only `PATH` is passed on. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * Makes the installed skills read-only.
   * @default true
   */
  readonly readOnly?: boolean;
  /**
   * The base of relative paths.
   * @default process.cwd()
   */
  readonly cwd?: string;
  /** Removes the home when aborted. */
  readonly signal?: AbortSignal;
}

/** A temporary home for one agent. */
export interface TemporaryHome extends HomeWith<InstalledNames> {
  /** The names of the skills: in code, and copied from folders. */
  readonly installed: InstalledNames;
}

interface InstalledNames {
  readonly inline: readonly string[];
  readonly referenced: readonly string[];
}

/** A temporary home, and what its skills were installed as. */
export interface HomeWith<Installed> extends AsyncDisposable {
  /** The path of the home. */
  readonly home: string;
  /** The folder with the skills. */
  readonly skillsDir: string;
  /** The complete environment for the agent. */
  readonly env: Readonly<Record<string, string>>;
  readonly installed: Installed;
  /** Removes the home, with everything that the agent wrote there. */
  close(): Promise<void>;
}

/**
 * Creates a private temporary home in which an agent finds only these skills, and nothing else of the user's. The home
 * is removed when it is closed, when the signal aborts and when this process exits. If the process is killed by a
 * signal, the next home that is created removes it.
 * @example
 * ```ts
 * import { spawn } from "node:child_process";
 * import { createTemporaryHome } from "skillset/node";
 *
 * await using home = await createTemporaryHome({ agent: { skillsFolder: ".agents/skills" }, skills: "./skills" });
 * spawn("my-agent", { env: home.env });
 * ```
 */
export async function createTemporaryHome(options: TemporaryHomeOptions): Promise<TemporaryHome> {
  checkOptions("createTemporaryHome()", options, OPTIONS);
  const { skills, cwd, signal, readOnly = true } = options;
  const prepare = async () => {
    const items = await toInstallItems(skills, { cwd, signal });
    return async (skillsDir: string) => {
      await installSkills(skillsDir, items, { readOnly, signal });
      return namesOf(items);
    };
  };
  return makeHome(options, prepare);
}

/** How a home is made, whatever its skills are. */
export type HomeOptions = Pick<TemporaryHomeOptions, "agent" | "keep" | "env" | "readOnly" | "signal">;

/** Installs skills in the folder, and returns which. */
type Install<Installed> = (skillsDir: string) => Promise<Installed>;

/** Makes a temporary home, installs skills there and protects them. `prepare` runs before there is a home. */
export async function makeHome<Installed>(
  options: HomeOptions,
  prepare: () => Promise<Install<Installed>>,
): Promise<HomeWith<Installed>> {
  const { agent, signal, readOnly = true } = options;
  signal?.throwIfAborted();
  if (process.platform === "win32") throw new SkillError("option-invalid", "Homes are not supported on Windows.");
  const known = homeOf(agent);
  const install = await prepare();
  const root = makeTemporaryFolder(PREFIX);
  const roots = [root];
  try {
    sweepOwnedFolders(dirname(root), PREFIX);
    const home = join(root, "home");
    const tmp = makeTmp(root);
    if (!tmp.startsWith(root)) roots.push(tmp);
    const env = furnish({ root, home, tmp }, known, options);
    const skillsDir = join(home, known.skills);
    const installed = await install(skillsDir);
    mkdirSync(skillsDir, { recursive: true });
    if (readOnly) {
      protectSkills(skillsDir);
      if (known.settings !== undefined) denySkillEdits(home, skillsDir, known.settings);
    }
    signal?.throwIfAborted();
    return new HomeFolder(roots, { home, skillsDir, env, installed }, signal);
  } catch (error) {
    await remove(roots);
    throw error;
  }
}

const PREFIX = "skillset-home-";

/**
 * Agents create Unix sockets in TMPDIR, and a path of a socket has at most 107 bytes (103 on macOS). So 64 leave enough
 * for their names, such as those of the sandbox of Claude Code.
 */
const LONGEST_TMP = 64;

/** The home's own temporary folder: beside the home, or, if that path is too long for sockets, in `/tmp`. */
function makeTmp(root: string): string {
  const path = join(root, "tmp");
  if (Buffer.byteLength(path) > LONGEST_TMP) {
    try {
      return makeTemporaryFolder("skillset-tmp-", "/tmp");
    } catch {
      // Programs without sockets work with the long path.
    }
  }
  mkdirSync(path, { mode: 0o700 });
  return path;
}

class HomeFolder<Installed> implements HomeWith<Installed> {
  /** The path of the home. */
  readonly home: string;
  readonly skillsDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly installed: Installed;
  readonly #roots: readonly string[];
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = (): void => void this.close().catch(() => {});

  constructor(
    roots: readonly string[],
    { home, skillsDir, env, installed }: Pick<HomeWith<Installed>, "home" | "skillsDir" | "env" | "installed">,
    signal: AbortSignal | undefined,
  ) {
    this.home = home;
    this.skillsDir = skillsDir;
    this.env = env;
    this.installed = installed;
    this.#roots = roots;
    this.#signal = signal;
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  async close(): Promise<void> {
    this.#signal?.removeEventListener("abort", this.#onAbort);
    await remove(this.#roots);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Creates the home's folders, and returns the environment for them. */
function furnish(
  { root, home, tmp }: Readonly<Record<"root" | "home" | "tmp", string>>,
  { own }: AgentHome,
  { agent, keep = {}, env = {} }: HomeOptions,
): Readonly<Record<string, string>> {
  // Beside the home, not above it: codex installs no helper programs below a temporary folder.
  const run = join(root, "run");
  for (const folder of [home, run]) mkdirSync(folder, { mode: 0o700 });
  if ("HOME" in keep)
    throw new SkillError("option-invalid", "'HOME' cannot be kept, because the new home replaces it.");
  const kept = { ...keep };
  const ownFolder: Record<string, string> = {};
  if (own !== undefined) {
    const path = join(home, own.folder);
    ownFolder[own.variable] = path;
    mkdirSync(join(path, own.below ?? ""), { recursive: true });
    const given = keep[own.variable];
    if (given !== undefined && own.holdsSkills) {
      keepFolder(join(given, own.below ?? ""), join(path, own.below ?? ""), own);
      delete kept[own.variable];
    }
  }
  return {
    ...definedOnly({ PATH: process.env.PATH, ...env, ...(typeof agent === "object" && agent.env) }),
    HOME: home,
    TMPDIR: tmp,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_STATE_HOME: join(home, ".local/state"),
    XDG_RUNTIME_DIR: run,
    ...ownFolder,
    ...kept,
  };
}

function definedOnly(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined));
}

function namesOf(items: readonly InstallItem[]): InstalledNames {
  const from = (source: InstallItem["source"]) =>
    items.filter((item) => item.source === source).map(({ name }) => name);
  return { inline: from("inline"), referenced: from("ref") };
}

/** Retries, because programs that the agent started may still be writing. */
async function remove(roots: readonly string[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      for (const root of roots) removeOwnedFolder(root);
      return;
    } catch (error) {
      if (tries === 20) throw error;
      await sleep(50);
    }
  }
}

const OPTIONS: OptionTable<TemporaryHomeOptions> = {
  agent: true,
  skills: true,
  keep: true,
  env: true,
  readOnly: true,
  cwd: true,
  signal: true,
};
