import type { AgentDefinition } from "./agent-definition.ts";

/** Kiro's command line. */
export const kiro = {
  name: "kiro",
  acp: {
    command: "kiro-cli",
    args: ["acp"],
    packages: [],
    installPage: "https://kiro.dev/docs/cli",
  },
  project: { skills: ".kiro/skills" },
} as const satisfies AgentDefinition;
