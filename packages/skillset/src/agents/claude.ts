import type { AgentDefinition, JsonObject } from "./agent-definition.ts";

/** Claude Code. */
export const claude = {
  name: "claude",
  acp: {
    command: "claude-agent-acp",
    // Otherwise its model sees only the names of MCP tools and must search for a tool before calling it.
    env: { ENABLE_TOOL_SEARCH: "false" },
    packages: ["@agentclientprotocol/claude-agent-acp"],
    reportedName: "@agentclientprotocol/claude-agent-acp",
    toolName: (server, tool) => `mcp__${server}__${tool}`,
    loadedSkill: ({ name, rawInput }) => (name === "Skill" ? (rawInput as JsonObject | undefined)?.skill : undefined),
  },
  project: { skills: ".claude/skills" },
  home: {
    skills: ".claude/skills",
    own: { variable: "CLAUDE_CONFIG_DIR", folder: ".claude", holdsSkills: true, besideIt: ".claude.json" },
    modelVariables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN"],
    settings: { file: ".claude/settings.json", denyEdits },
  },
  mcp: {
    settingsFile: ".mcp.json in the project",
    projectFolder: ".",
    started: (command, args) => ({ mcpServers: { skillset: { command, args } } }),
    addressed: (url, token) => ({
      mcpServers: {
        skillset: { type: "http", url, ...(token && { headers: { Authorization: `Bearer \${${token}}` } }) },
      },
    }),
    showsStructureAs: "claude-code",
  },
} as const satisfies AgentDefinition;

/** Claude Code checks its settings before it edits a file. */
function denyEdits(settings: JsonObject, folder: string): JsonObject {
  const permissions = (settings.permissions ?? {}) as { readonly deny?: readonly string[] };
  return {
    ...settings,
    permissions: { ...permissions, deny: [...(permissions.deny ?? []), `Edit(/${folder}/**)`] },
  };
}
