import { SkillError } from "../base/errors.ts";
import type { SkillFile } from "../skill/skill.ts";
import type { OutputFiles, ScriptHost } from "./script-host.ts";
import { type HostedSkills, scriptHostsOf } from "./skill-host.ts";

/** The output files of a session, for a program that has no session at hand. */
export interface SessionOutputs extends OutputFiles {
  /** Removes all of them, for when the conversation is deleted. */
  remove(): void;
}

/**
 * Returns the files that scripts of a session wrote or find in `$OUTPUT_DIR`, by the session's id. Undefined if nothing
 * runs scripts of the skillset.
 */
export function outputsOf(skillset: Pick<HostedSkills, "settings">, session: string): SessionOutputs | undefined {
  const hosts = scriptHostsOf(skillset);
  const [first, ...others] = hosts.map((host) => host.outputs(session));
  if (first === undefined) return undefined;
  const remove = (): void => {
    for (const host of hosts) host.removeOutputs(session);
  };
  return { ...(others.length === 0 ? first : together([first, ...others])), remove };
}

/** Each host keeps its files: a script must not find those of a skill that runs elsewhere. */
function together(all: readonly ReturnType<ScriptHost["outputs"]>[]): OutputFiles {
  return {
    list: async (directory, options) => {
      const byPath = new Map<string, SkillFile>();
      for (const files of all)
        for (const file of await files.list(directory, options))
          if (!byPath.has(file.path)) byPath.set(file.path, file);
      return [...byPath.values()];
    },
    read: async (path, options) => {
      let missing: unknown;
      for (const files of all) {
        try {
          return await files.read(path, options);
        } catch (error) {
          if (!(error instanceof SkillError) || error.code !== "resource-not-found") throw error;
          missing ??= error;
        }
      }
      throw missing;
    },
    write: async (path, bytes, options) => {
      for (const files of all) await files.write(path, bytes, options);
    },
  };
}
