import { SkillError } from "../../core/base/errors.ts";

/** Where an agent keeps things, in a home or in a project. */
export interface AgentFolders {
  /** Where it looks for skills, from its home. */
  readonly inHome: string;
  /** Where it looks for skills, from the project that it works in. */
  readonly inProject: string;
  /** The variable that moves its own folder elsewhere, and that folder, from its home. */
  readonly own?: OwnFolder;
}

interface OwnFolder {
  readonly variable: string;
  readonly folder: string;
  /** The part of it that the agent fills: its settings, its sign-in. The folder itself by default. */
  readonly below?: string;
  /** Whether skills stand in it, so that a kept one cannot be used as it is. */
  readonly holdsSkills: boolean;
}

/** Agents whose folders are known. */
export type HomeAgentName = keyof typeof AGENT_HOMES;

/** An agent by name, or where any other one looks for skills in its home. */
export type HomeAgent = HomeAgentName | OtherAgent;

export interface OtherAgent {
  /** From the home, such as `.x/skills`. */
  readonly skillsFolder: string;
  readonly env?: Readonly<Record<string, string>>;
}

const AGENT_HOMES = {
  claude: {
    inHome: ".claude/skills",
    inProject: ".claude/skills",
    own: { variable: "CLAUDE_CONFIG_DIR", folder: ".claude", holdsSkills: true },
  },
  codex: {
    inHome: ".agents/skills",
    inProject: ".agents/skills",
    own: { variable: "CODEX_HOME", folder: ".codex", holdsSkills: false },
  },
  gemini: {
    inHome: ".gemini/skills",
    inProject: ".gemini/skills",
    own: { variable: "GEMINI_CLI_HOME", folder: ".", below: ".gemini", holdsSkills: true },
  },
  opencode: { inHome: ".claude/skills", inProject: ".opencode/skills" },
  pi: {
    inHome: ".agents/skills",
    inProject: ".agents/skills",
    own: { variable: "PI_CODING_AGENT_DIR", folder: ".pi/agent", holdsSkills: false },
  },
} as const satisfies Readonly<Record<string, AgentFolders>>;

export const HOME_AGENTS = Object.keys(AGENT_HOMES) as readonly HomeAgentName[];

export function foldersOf(agent: HomeAgent): AgentFolders {
  if (typeof agent === "object") {
    const { skillsFolder } = agent;
    if (/^$|^[/\\~]|(?:^|[/\\])\.\.(?:[/\\]|$)|\0/.test(skillsFolder))
      throw new SkillError("option-invalid", `'${skillsFolder}' is not a folder below the agent's home.`);
    return { inHome: skillsFolder, inProject: skillsFolder };
  }
  if (Object.hasOwn(AGENT_HOMES, agent)) return AGENT_HOMES[agent];
  const message = `There is no agent '${agent}'. Known are ${HOME_AGENTS.join(", ")}; any other is given as { skillsFolder }.`;
  throw new SkillError("agent-not-found", message);
}
