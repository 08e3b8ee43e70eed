import type { AgentDefinition } from "./agent-definition.ts";

/** Augment's Auggie. */
export const auggie = {
  name: "auggie",
  acp: {
    command: "auggie",
    args: ["--acp"],
    packages: ["@augmentcode/auggie"],
    // Its sessions offer no choice of models.
    modelArgs: (model) => ["--model", model],
  },
  project: { skills: ".augment/skills" },
} as const satisfies AgentDefinition;
