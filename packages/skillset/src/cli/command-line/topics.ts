import { EXIT_CODES } from "./exit-codes.ts";

export interface Topic {
  readonly summary: string;
  readonly rows: readonly (readonly [term: string, text: string])[];
}

/** Help pages that belong to no single command. */
export const TOPICS: Readonly<Record<string, Topic>> = {
  "exit-codes": { summary: "the exit codes of all commands", rows: Object.entries(EXIT_CODES) },
  environment: {
    summary: "the environment variables that skillset reads",
    rows: [
      ["NO_COLOR", "disables colours when it is not empty"],
      ["FORCE_COLOR", "enables colours even when the output is not a terminal; 0 or false disables them"],
      ["SKILLSET_CONFIG_HOME", "the folder of trust.json, which records trusted skills"],
      ["XDG_CONFIG_HOME", "the parent of that folder (default: ~/.config)"],
      ["SKILLSET_CACHE_HOME", "the folder of packages that were installed with 'skillset run --prepare'"],
      ["XDG_CACHE_HOME", "the parent of that folder (default: ~/.cache, for root /var/cache)"],
      ["GITHUB_WORKSPACE", "the root of the paths in the reports of 'skillset validate'"],
    ],
  },
};
