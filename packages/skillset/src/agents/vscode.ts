import type { AgentDefinition } from "./agent-definition.ts";

/** GitHub Copilot in Visual Studio Code. */
export const vscode = {
  name: "vscode",
  project: { skills: ".github/skills" },
  mcp: {
    settingsFile: ".vscode/mcp.json in the project",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it
    projectFolder: "${workspaceFolder}",
    started: (command, args) => ({ servers: { skillset: { type: "stdio", command, args } } }),
    // The client asks for the token once and stores it.
    addressed: (url, token) => {
      if (token === undefined) return { servers: { skillset: { type: "http", url } } };
      return {
        inputs: [{ type: "promptString", id: "skillset-token", description: "Token of skillset", password: true }],
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it
        servers: { skillset: { type: "http", url, headers: { Authorization: "Bearer ${input:skillset-token}" } } },
      };
    },
  },
} as const satisfies AgentDefinition;
