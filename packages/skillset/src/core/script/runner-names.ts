interface RunnerLevel {
  /**
   * `none` is no sandbox. A `portable` sandbox works on every system, and a `system` one needs what only some have. A
   * `configured` level has no name for options, because its runner takes other options.
   */
  readonly kind: "none" | "portable" | "system" | "configured";
  /** What a script can reach, for the person who lets it run. */
  readonly about: string;
}

/** What contains scripts, weakest first. Nothing else lists the names of runners. */
const LEVELS = {
  subprocess: { kind: "none", about: "none: the script can do everything that the server can" },
  embedded: {
    kind: "portable",
    about: "embedded: built-in interpreters, no network, no access to your other files",
  },
  "sandbox-runtime": { kind: "system", about: "sandbox-runtime: no network, no access to your other files" },
  // Its users are those of the host, and in bubblewrap they are not.
  container: { kind: "configured", about: "container: no access to your other files" },
  bubblewrap: { kind: "system", about: "bubblewrap: no network, no access to your other files" },
} as const satisfies Record<string, RunnerLevel>;

type Kind = RunnerLevel["kind"];
type Level = keyof typeof LEVELS;
type LevelOf<Wanted extends Kind> = {
  [Name in Level]: (typeof LEVELS)[Name]["kind"] extends Wanted ? Name : never;
}[Level];

/** A sandbox that has a name. */
export type SandboxName = LevelOf<"portable" | "system">;
/** A runner that has a name, without `auto`, which chooses one of them. */
export type NamedRunner = LevelOf<"none"> | SandboxName;
export type RunnerName = "auto" | NamedRunner;

const ALL_LEVELS = Object.keys(LEVELS) as readonly Level[];

/** The named sandboxes, weakest first. */
export const SANDBOXES: readonly SandboxName[] = levelsOf("portable", "system");
/** The named runners, weakest first. `auto` is at least as strong as what works everywhere. */
export const RUNNERS_BY_STRENGTH: readonly RunnerName[] = [
  ...levelsOf("none", "portable"),
  "auto",
  ...levelsOf("system"),
];
/** What options accept: `auto`, then the strongest first. */
export const RUNNER_NAMES: readonly RunnerName[] = ["auto", ...levelsOf("none", "portable", "system").toReversed()];

function levelsOf<Wanted extends Kind>(...kinds: readonly Wanted[]): LevelOf<Wanted>[] {
  return ALL_LEVELS.filter((level) => (kinds as readonly Kind[]).includes(LEVELS[level].kind)) as LevelOf<Wanted>[];
}

/** Whether a runner is a sandbox that only some systems have. */
export function isSystemSandbox(runner: unknown): runner is LevelOf<"system"> {
  return (levelsOf("system") as readonly unknown[]).includes(runner);
}

/** How strongly a level contains scripts. An unknown level is weaker than all others. */
export function strengthOf(level: string): number {
  return ALL_LEVELS.indexOf(level as Level);
}

/** Says what a script can reach, for the person who lets it run. Of a runner that is not ours, it says the name. */
export function describeSandbox(level: string): string {
  return Object.hasOwn(LEVELS, level) ? LEVELS[level as Level].about : level;
}
