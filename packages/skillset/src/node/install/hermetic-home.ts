import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentHome } from "../../agents/agent-definition.ts";
import { SkillError } from "../../core/base/errors.ts";
import type { SkillInput } from "../load/sources.ts";
import { makeTemporaryFolder, removeOwnedFolder, sweepOwnedFolders } from "../tree/owned-folder.ts";
import { type HomeAgent, homeOf } from "./agent-homes.ts";
import { type InstallItem, installSkills } from "./install-skills.ts";
import { denySkillEdits, keepFolder, protectSkills } from "./kept-folder.ts";
import { toInstallItems } from "./native-skills.ts";

export interface TemporaryHomeOptions {
  readonly agent: HomeAgent;
  /** Paths, skills in code without tools, or a skillset. */
  readonly skills: SkillInput | readonly SkillInput[];
  /** Folders of yours that the agent goes on using, by variable: `{ CODEX_HOME: "/home/ann/.codex" }`. */
  readonly keep?: Readonly<Record<string, string>>;
  /** What else the agent finds in its environment, such as a key: nothing of yours is there but `PATH`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether the installed skills cannot be written to; so by default. */
  readonly readOnly?: boolean;
  /** Relative paths of skills start here. */
  readonly cwd?: string;
  /** Removes the home when it is aborted. */
  readonly signal?: AbortSignal;
}

/** A home that is there for one agent and one piece of work. */
export interface TemporaryHome extends AsyncDisposable {
  readonly home: string;
  /** Where the skills stand. */
  readonly skillsDir: string;
  /** The whole environment to run the agent with. */
  readonly env: Readonly<Record<string, string>>;
  /** The names of the skills: those that were defined in code, and those that were copied. */
  readonly installed: { readonly inline: readonly string[]; readonly referenced: readonly string[] };
  /** Removes it, with all that the agent has put there. */
  close(): Promise<void>;
}

/**
 * Makes a private temporary home in which an agent finds the skills where it looks for its own, and nothing else of
 * the person who runs it. Gone when it is closed, when the abort signal fires and when this process exits; what a
 * process that was ended by SIGINT, SIGTERM or SIGKILL has left is removed when the next home is made.
 */
export async function createTemporaryHome(options: TemporaryHomeOptions): Promise<TemporaryHome> {
  const { agent, skills, cwd, signal, readOnly = true } = options;
  signal?.throwIfAborted();
  if (process.platform === "win32") throw new SkillError("option-invalid", "Homes are not supported on Windows.");
  const known = homeOf(agent);
  const items = await toInstallItems(skills, { cwd, signal });
  const root = makeTemporaryFolder(PREFIX);
  try {
    sweepOwnedFolders(dirname(root), PREFIX);
    const home = join(root, "home");
    const env = furnish(root, home, known, options);
    const skillsDir = join(home, known.skills);
    await installSkills(skillsDir, items, { readOnly, signal });
    mkdirSync(skillsDir, { recursive: true });
    if (readOnly) {
      protectSkills(skillsDir);
      if (known.settings !== undefined) denySkillEdits(home, skillsDir, known.settings);
    }
    signal?.throwIfAborted();
    return new HomeFolder(root, { home, skillsDir, env, installed: namesOf(items) }, signal);
  } catch (error) {
    await remove(root);
    throw error;
  }
}

const PREFIX = "skillset-home-";

class HomeFolder implements TemporaryHome {
  readonly home: string;
  readonly skillsDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly installed: TemporaryHome["installed"];
  readonly #root: string;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = (): void => void this.close().catch(() => {});

  constructor(
    root: string,
    { home, skillsDir, env, installed }: Pick<TemporaryHome, "home" | "skillsDir" | "env" | "installed">,
    signal: AbortSignal | undefined,
  ) {
    this.home = home;
    this.skillsDir = skillsDir;
    this.env = env;
    this.installed = installed;
    this.#root = root;
    this.#signal = signal;
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  async close(): Promise<void> {
    this.#signal?.removeEventListener("abort", this.#onAbort);
    await remove(this.#root);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Makes the home's folders, and gives the environment that leads there. */
function furnish(
  root: string,
  home: string,
  { own }: AgentHome,
  { agent, keep = {}, env = {} }: TemporaryHomeOptions,
): Readonly<Record<string, string>> {
  // Beside the home, not above it: codex puts no programs of its own below a temporary folder.
  const [tmp, run] = [join(root, "tmp"), join(root, "run")];
  for (const folder of [home, tmp, run]) mkdirSync(folder, { mode: 0o700 });
  if ("HOME" in keep)
    throw new SkillError("option-invalid", "'HOME' cannot be kept: it is what the new home replaces.");
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

function namesOf(items: readonly InstallItem[]): TemporaryHome["installed"] {
  const from = (source: InstallItem["source"]) =>
    items.filter((item) => item.source === source).map(({ name }) => name);
  return { inline: from("inline"), referenced: from("ref") };
}

/** What the agent has started may still be writing, for a moment. */
async function remove(root: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      removeOwnedFolder(root);
      return;
    } catch (error) {
      if (tries === 20) throw error;
      await sleep(50);
    }
  }
}
