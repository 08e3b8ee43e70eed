/** What the library knows about one agent. Everything but the name is optional. */
export interface AgentDefinition {
  /** The name that `connectAgent`, `createTemporaryHome` and the command line take. */
  readonly name: string;
  /** The program that speaks ACP, and how it differs from others: for `connectAgent` and `skillset think`. */
  readonly acp?: AcpProgram;
  /** Where the agent looks for skills in a project: for `skillset install`. */
  readonly project?: ProjectFolders;
  /** The agent's folders in a home: for `createTemporaryHome`, `skillset exec`, and `skillset install --to ~`. */
  readonly home?: AgentHome;
  /** The agent as a client of MCP servers: for `skillset serve`. */
  readonly mcp?: McpClient;
}

export interface AcpProgram {
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables that it starts with, unless the environment sets them. */
  readonly env?: Readonly<Record<string, string>>;
  /** The npm packages that bring the program. */
  readonly packages: readonly string[];
  /** The name that the program reports when it connects. */
  readonly reportedName: string;
  /** How many conversations one process can have at a time; any number by default. */
  readonly conversations?: "one" | "one-a-folder";
  /** The MCP transports that it really uses; by default those that it declares. */
  readonly bridges?: readonly ("http" | "stdio")[];
  /** The name under which its model sees a tool of an MCP server. */
  toolName?(server: string, tool: string): string;
  /** The title that it reports for a call of an MCP tool, if it differs from the common forms. */
  callTitle?(server: string, tool: string): string;
  /** Which MCP tool a reported call is of, if the agent marks such calls; undefined for a call without the mark. */
  markedCall?(call: ReportedCall): { readonly server: unknown; readonly tool: unknown } | undefined;
}

/** The fields of an ACP tool call in which agents put more than the protocol asks for. */
export interface ReportedCall {
  readonly rawInput?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>> | null;
}

export interface ProjectFolders {
  /** Where skills are installed, relative to the project. */
  readonly skills: string;
  /** Other folders with its skills that repositories have. */
  readonly others?: readonly string[];
}

export interface AgentHome {
  /** Where it looks for skills, relative to the home. */
  readonly skills: string;
  /** The folder with its settings and its login, if a variable can move it. */
  readonly own?: OwnFolder;
  /** Its settings, if they can keep it from editing skills. */
  readonly settings?: HomeSettings;
}

export interface OwnFolder {
  /** The environment variable with its path. */
  readonly variable: string;
  /** Where it is, relative to the home. */
  readonly folder: string;
  /** The part of it that the agent fills; the folder itself by default. */
  readonly below?: string;
  /** Whether the agent looks for skills in it. If so, a folder that is kept is linked into the new home. */
  readonly holdsSkills: boolean;
  /** A file that is beside the folder by default, and inside it once the variable is set. */
  readonly besideIt?: string;
}

export interface HomeSettings {
  /** A JSON file, relative to the home. */
  readonly file: string;
  /** Returns the settings with a rule that denies editing what is in a folder. */
  denyEdits(settings: JsonObject, folder: string): JsonObject;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export interface McpClient {
  /** Where a user adds a server, in words. */
  readonly settingsFile: string;
  /** How the settings name the project's folder, if they belong to the project; paths are absolute otherwise. */
  readonly projectFolder?: string;
  /** The settings for the server `skillset` that the client starts: an object is written as JSON. */
  started(command: string, args: readonly string[]): object | string;
  /** The settings for the server `skillset` at an address, with a token in an environment variable. */
  addressed(url: string, tokenVariable: string): object | string;
  /**
   * For a client whose model sees only the structured content of a result, and not the text: how the name begins that
   * it reports to servers, in lower case.
   */
  readonly showsStructureAs?: string;
}
