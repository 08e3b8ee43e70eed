/** What the library knows about one agent. Everything but the name is optional. */
export interface AgentDefinition {
  /** The name for `connectAgent`, `createTemporaryHome` and the command line. */
  readonly name: string;
  /** The program that speaks ACP, and its peculiarities. Used by `connectAgent` and `skillset think`. */
  readonly acp?: AcpProgram;
  /** Where the agent looks for skills in a project. Used by `skillset install`. */
  readonly project?: ProjectFolders;
  /** The agent's folders in a home. Used by `createTemporaryHome`, `skillset exec` and `skillset install --to ~`. */
  readonly home?: AgentHome;
  /** The agent as an MCP client. Used by `skillset serve`. */
  readonly mcp?: McpClient;
}

/** How an agent reaches the MCP servers of this library. */
export type BridgeTransport = "http" | "stdio";

export interface AcpProgram {
  readonly command: string;
  readonly args?: readonly string[];
  /** Environment variables that the program starts with, unless the environment already sets them. */
  readonly env?: Readonly<Record<string, string>>;
  /** The npm packages that contain the program. */
  readonly packages: readonly string[];
  /** Where to install a program from that no npm package contains. */
  readonly installPage?: string;
  /** Returns the arguments that select a model, if its sessions offer no choice of models. */
  modelArgs?(model: string): readonly string[];
  /** The name that the program reports when it connects, if it is known. */
  readonly reportedName?: string;
  /** How many conversations one process can have at a time. Unlimited if omitted. */
  readonly conversations?: "one" | "one-a-folder";
  /** The MCP transports that work. Those that the program declares if omitted. */
  readonly bridges?: readonly BridgeTransport[];
  /** Why it may use no MCP server although it supports them, and what to do. */
  readonly withoutMcp?: string;
  /** Returns the name under which its model sees an MCP tool. */
  toolName?(server: string, tool: string): string;
  /** Returns the title that it reports for a call of an MCP tool, if not one of the common forms. */
  callTitle?(server: string, tool: string): string;
  /** Returns the MCP tool of a reported call, if the agent marks such calls. Undefined for an unmarked call. */
  markedCall?(call: ReportedCall): { readonly server: unknown; readonly tool: unknown } | undefined;
  /** Returns the skill that a reported call loads, if the agent has its own tool for skills in its home. */
  loadedSkill?(call: ReportedCall): unknown;
}

/** The fields of an ACP tool call in which agents name their tools. */
export interface ReportedCall {
  readonly toolCallId?: string;
  readonly name?: string | null;
  readonly title?: string | null;
  readonly rawInput?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>> | null;
}

export interface ProjectFolders {
  /** Where skills are installed, relative to the project. */
  readonly skills: string;
  /** Other folders in repositories where it finds skills. */
  readonly others?: readonly string[];
}

export interface AgentHome {
  /** Where it looks for skills, relative to the home. */
  readonly skills: string;
  /** The folder with its settings and login, if an environment variable can move it. */
  readonly own?: OwnFolder;
  /** The variables of the user's environment with which it reaches its model. */
  readonly modelVariables?: readonly string[];
  /** Its settings, if they can prevent it from editing skills. */
  readonly settings?: HomeSettings;
}

export interface OwnFolder {
  /** The environment variable with its path. */
  readonly variable: string;
  /** Where it is, relative to the home. */
  readonly folder: string;
  /** The subfolder that the agent uses. The folder itself if omitted. */
  readonly below?: string;
  /** Whether the agent looks for skills in it. If so, the contents of a kept folder are linked into the new home. */
  readonly holdsSkills: boolean;
  /** A file that is beside the folder by default, and inside it once the variable is set. */
  readonly besideIt?: string;
}

export interface HomeSettings {
  /** A JSON file, relative to the home. */
  readonly file: string;
  /** Returns the settings with a rule that denies edits in a folder. */
  denyEdits(settings: JsonObject, folder: string): JsonObject;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export interface McpClient {
  /** Describes the file in which a user adds a server. */
  readonly settingsFile: string;
  /** The variable for the project's folder, if the settings belong to the project. Otherwise paths are absolute. */
  readonly projectFolder?: string;
  /** Returns the settings for a `skillset` server that the client starts. An object is written as JSON. */
  started(command: string, args: readonly string[]): object | string;
  /** Returns the settings for a `skillset` server at a URL, with a token in an environment variable if there is one. */
  addressed(url: string, tokenVariable: string | undefined): object | string;
  /**
   * For a client whose model sees only the structured content of a result, not the text: the lowercase prefix of the
   * name that it reports to servers.
   */
  readonly showsStructureAs?: string;
}
