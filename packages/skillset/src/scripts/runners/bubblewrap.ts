import type { ScriptRunner } from "../../core/script/script.ts";

/** Runs scripts in a bubblewrap sandbox (Linux). */
export function bubblewrap(): ScriptRunner & { readonly isInstalled: boolean } {
  return {
    level: "bubblewrap",
    isInstalled: false,
    check: async () => "bubblewrap is not installed.",
    run: async () => ({ outcome: "refused", reason: "bubblewrap is not installed." }),
  };
}
