import { defineSkill } from "../../packages/skillset/src/index.ts";
import type { ScriptRunner } from "../../packages/skillset/src/scripts/index.ts";

const define = (name: string, more: Partial<Parameters<typeof defineSkill>[0]> = {}) =>
  defineSkill({ name, description: `Makes ${name}. Use when asked for ${name}.`, body: `BODY-${name}`, ...more });

export const TEA = define("tea");
export const COFFEE = define("coffee", { body: "BODY-coffee\n\nGrind the beans <finely> & slowly." });
export const NEW_TEA = define("tea", { body: "BODY-tea, version 2" });
export const RENAMED_TEA = define("tea", { description: "Makes green tea & <black> tea." });

export const NOTES = define("notes", { body: "Write down: $ARGUMENTS" });
export const LETTER = define("letter", {
  body: "To $0, in a $tone tone. Dear $ARGUMENTS[0], it costs $1.50.",
  metadata: { arguments: "recipient tone", "argument-hint": "[recipient] [tone]" },
});

export const COCOA = define("cocoa", { metadata: { "trigger-keywords": "cocoa, hot chocolate" } });
export const MILK = define("milk", { metadata: { "trigger-keywords": "milk" } });

/** Users may invoke it; models do not know about it. */
export const RELEASE = define("release", { disableModelInvocation: true });
/** Models may activate it; users cannot. */
export const RULES = define("house-rules", { userInvocable: false });

/** Allows no tool of the host. */
export const CAREFUL = define("careful", { allowedTools: ["Read"] });

const PNG = Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10, 0]);

/** Has a tool, files and triggers. */
export const brewer = (version: string) =>
  defineSkill({
    name: "brewer",
    description: "Brews. Use when asked to brew.",
    body: `BODY-brewer ${version}`,
    metadata: { "trigger-keywords": "brew" },
    files: { "leaves.md": `FILE-leaves ${version}`, "prices.csv": "kind,price\ngreen,2\n", "leaf.png": PNG },
    tools: [
      {
        name: "brew",
        description: "Brews some cups",
        inputSchema: { type: "object", properties: { cups: { type: "number" } }, required: ["cups"] },
        handler: ({ cups }: { readonly cups: number }) => `RESULT-brew ${version}: ${cups} cups`,
      },
    ],
  });

export const SCRIPTED = define("scripted", {
  files: { "scripts/brew.mjs": "console.log('hot');\n", "scripts/fail.mjs": "process.exit(3);\n" },
});

/** Runs no program: each script prints its arguments, and fails if its name says so. */
export const NO_PROGRAM: ScriptRunner = {
  level: "recorded",
  check: async () => undefined,
  run: async ({ script, args, stdin = "" }) => ({
    outcome: "exited",
    exitCode: script.includes("fail") ? 3 : 0,
    command: ["node", script],
    stdout: `${args.join(",")} ${stdin}`,
    stderr: script.includes("fail") ? "The kettle is empty." : "",
  }),
};

const TOPICS = ["violin", "orchid", "glacier", "harbour", "comet", "saddle", "lantern", "meadow"];

/** Too many for a small catalog. */
export const SHELF = ["sourdough", ...TOPICS].map((name) =>
  define(name, {
    description: name === "sourdough" ? "Bakes sourdough bread from a starter." : `Studies every ${name} in detail.`,
  }),
);

/** Too many for their names to be listed. */
export const LIBRARY = Array.from({ length: 230 }, (_, index) =>
  define(`b${index}`, { description: index === 220 ? "Reads the tides of the moon." : `Book number ${index}.` }),
);
