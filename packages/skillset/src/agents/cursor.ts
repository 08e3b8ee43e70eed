import type { AgentDefinition } from "./agent-definition.ts";

/** The editor Cursor. */
export const cursor = {
  name: "cursor",
  project: { skills: ".cursor/skills" },
  mcp: {
    settingsFile: ".cursor/mcp.json in the project",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it
    projectFolder: "${workspaceFolder}",
    started: (command, args) => ({ mcpServers: { skillset: { command, args } } }),
    addressed: (url, token) => ({
      mcpServers: { skillset: { url, ...(token && { headers: { Authorization: `Bearer \${env:${token}}` } }) } },
    }),
  },
} as const satisfies AgentDefinition;
