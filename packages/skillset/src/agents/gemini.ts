import type { AgentDefinition } from "./agent-definition.ts";

/** Google's Gemini CLI. */
export const gemini = {
  name: "gemini",
  acp: {
    command: "gemini",
    args: ["--acp"],
    packages: ["@google/gemini-cli"],
    reportedName: "gemini-cli",
    withoutMcp:
      "Gemini ignores MCP servers in a folder that it does not trust: trust the folder in gemini, or set GEMINI_CLI_TRUST_WORKSPACE=true.",
    // It has a built-in `activate_skill`, so the plain name would be ambiguous.
    toolName: (server, tool) => `mcp_${server}_${tool}`,
    callTitle: (server, tool) => `${tool} (${server} MCP Server)`,
    // It reports the tool only in the ID, and the skill only in the title: `"name": description`.
    loadedSkill: ({ toolCallId, title }) =>
      toolCallId?.startsWith("activate_skill__") ? /^"([^"]+)": /.exec(title ?? "")?.[1] : undefined,
  },
  project: { skills: ".gemini/skills" },
  home: {
    skills: ".gemini/skills",
    own: { variable: "GEMINI_CLI_HOME", folder: ".", below: ".gemini", holdsSkills: true },
    modelVariables: [
      "GEMINI_API_KEY",
      "GOOGLE_GEMINI_BASE_URL",
      // Vertex AI.
      "GOOGLE_API_KEY",
      "GOOGLE_GENAI_USE_VERTEXAI",
      "GOOGLE_CLOUD_PROJECT",
      "GOOGLE_CLOUD_LOCATION",
      "GOOGLE_APPLICATION_CREDENTIALS",
    ],
  },
  mcp: {
    settingsFile: ".gemini/settings.json in the project",
    projectFolder: ".",
    started: (command, args) => ({ mcpServers: { skillset: { command, args } } }),
    addressed: (url, token) => ({
      mcpServers: { skillset: { httpUrl: url, ...(token && { headers: { Authorization: `Bearer \${${token}}` } }) } },
    }),
  },
} as const satisfies AgentDefinition;
