import type { PackageOptions } from "./packages.ts";
import type { RunnerName, SandboxName } from "./runner-names.ts";
import type { ScriptHooks, ScriptLimits, ScriptRunner } from "./script.ts";

/** The option `scripts` of `createSkillset`. */
export interface ScriptOptions extends ScriptHooks {
  /**
   * What runs the scripts. `auto` uses the strongest sandbox that works on this machine, and never `subprocess`, which
   * has none. `embedded` needs the package `@skillset/sandbox`, and `sandbox-runtime` the package
   * `@anthropic-ai/sandbox-runtime`.
   * @default "auto"
   */
  readonly runner?: RunnerName | ScriptRunner;
  /** The weakest sandbox to accept. A weaker runner is refused. */
  readonly minimum?: SandboxName;
  /** Overrides single limits. */
  readonly limits?: Partial<ScriptLimits>;
  /**
   * The folder for the files that scripts write, one subfolder for each session.
   * @default a temporary folder that is removed when the process exits
   */
  readonly folder?: string;
  /**
   * How long an unused session's files are kept in `folder`, in milliseconds.
   * @default 604800000
   */
  readonly keepFor?: number;
  /** Where `session.scripts.prepare()` gets packages from, and where it keeps them. */
  readonly packages?: PackageOptions;
}
