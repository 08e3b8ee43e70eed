import type { AgentDefinition } from "./agent-definition.ts";

/** OpenAI's Codex. */
export const codex = {
  name: "codex",
  acp: {
    command: "codex-acp",
    packages: ["@agentclientprotocol/codex-acp"],
    reportedName: "@agentclientprotocol/codex-acp",
    // Every call has the kind `execute`, so only the mark distinguishes an MCP tool from a command.
    markedCall({ _meta, rawInput }) {
      if (_meta?.is_mcp_tool_call !== true) return undefined;
      const { server, tool } = (rawInput ?? {}) as Record<string, unknown>;
      return { server, tool };
    },
  },
  project: { skills: ".agents/skills", others: [".codex/skills"] },
  home: {
    skills: ".agents/skills",
    modelVariables: ["OPENAI_API_KEY", "OPENAI_BASE_URL", "CODEX_API_KEY"],
    own: { variable: "CODEX_HOME", folder: ".codex", holdsSkills: false },
  },
  mcp: {
    settingsFile: "~/.codex/config.toml",
    // JSON strings and arrays of strings are valid TOML.
    started: (command, args) => table(`command = ${JSON.stringify(command)}`, `args = ${JSON.stringify(args)}`),
    addressed: (url, token) =>
      table(`url = ${JSON.stringify(url)}`, ...(token ? [`bearer_token_env_var = "${token}"`] : [])),
    showsStructureAs: "codex",
  },
} as const satisfies AgentDefinition;

function table(...lines: readonly string[]): string {
  return ["[mcp_servers.skillset]", ...lines].join("\n");
}
