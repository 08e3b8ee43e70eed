import type { AgentDefinition, JsonObject } from "./agent-definition.ts";

/** OpenCode. */
export const opencode = {
  name: "opencode",
  acp: {
    command: "opencode",
    args: ["acp"],
    packages: ["opencode-ai"],
    reportedName: "OpenCode",
    // MCP servers are shared by name between all sessions in one folder, so the newest `skillset` also serves older sessions.
    conversations: "one-a-folder",
    toolName: (server, tool) => `${server}_${tool}`,
    // The title is the tool's name at first.
    loadedSkill: ({ title, rawInput }) => {
      const name = (rawInput as JsonObject | undefined)?.name;
      return title === "skill" || title === `Loaded skill: ${name}` ? name : undefined;
    },
  },
  project: { skills: ".opencode/skills" },
  // Its settings and login are in the XDG folders, which every home has.
  home: { skills: ".claude/skills", modelVariables: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"] },
  mcp: {
    settingsFile: "opencode.json in the project",
    projectFolder: ".",
    started: (command, args) => settings({ type: "local", command: [command, ...args] }),
    addressed: (url, token) =>
      settings({ type: "remote", url, ...(token && { headers: { Authorization: `Bearer {env:${token}}` } }) }),
  },
} as const satisfies AgentDefinition;

function settings(server: object): object {
  return { $schema: "https://opencode.ai/config.json", mcp: { skillset: { ...server, enabled: true } } };
}
