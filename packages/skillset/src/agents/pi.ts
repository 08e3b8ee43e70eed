import type { AgentDefinition } from "./agent-definition.ts";

/** The pi coding agent. */
export const pi = {
  name: "pi",
  acp: {
    command: "pi-acp",
    packages: ["pi-acp", "@earendil-works/pi-coding-agent"],
    reportedName: "pi-acp",
    // Accepts MCP servers without an error, but never starts one.
    bridges: [],
    // A new session drops the prompts of all other sessions.
    conversations: "one",
  },
  project: { skills: ".agents/skills" },
  home: {
    skills: ".agents/skills",
    own: { variable: "PI_CODING_AGENT_DIR", folder: ".pi/agent", holdsSkills: false },
    modelVariables: ["ANTHROPIC_API_KEY", "ANTHROPIC_OAUTH_TOKEN", "OPENAI_API_KEY", "GEMINI_API_KEY"],
  },
} as const satisfies AgentDefinition;
