import type { ScriptRunner } from "skillset/scripts";

/** Runs scripts in interpreters without access to the machine: just-bash for shell and Python, deno for JS and TS. */
export function embedded(): ScriptRunner {
  return {
    level: "embedded",
    check: async () => "not available.",
    run: async () => ({ outcome: "refused", reason: "not available." }),
  };
}
