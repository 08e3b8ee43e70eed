/** How a client is told to use the server: by starting it, or by its address. */
export type ServerPlace =
  | { readonly kind: "command"; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: "http"; readonly url: string };

/** The clients that a snippet can be printed for. */
export const CLIENTS = ["claude", "cursor", "vscode", "opencode", "codex", "gemini"] as const;

export type ClientName = (typeof CLIENTS)[number];

/** What to write into a client's settings, and where those are. */
export function clientConfig(client: ClientName, place: ServerPlace): { readonly file: string; readonly text: string } {
  const { file, started, addressed } = WRITERS[client];
  const written = place.kind === "command" ? started(place.command, place.args) : addressed(place.url);
  return { file, text: typeof written === "string" ? written : JSON.stringify(written, null, 2) };
}

/** How the client's settings name the project's folder, if they are kept in a project that people share. */
export function projectFolderFor(client: ClientName): string | undefined {
  return WRITERS[client].projectFolder;
}

/** The token is not written down: clients read it from this variable. */
const TOKEN = "SKILLSET_TOKEN";

interface Writer {
  /** Where the client keeps its settings. */
  readonly file: string;
  readonly projectFolder?: string;
  started(command: string, args: readonly string[]): object | string;
  addressed(url: string): object | string;
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it
const WORKSPACE = "${workspaceFolder}";

const WRITERS: Readonly<Record<ClientName, Writer>> = {
  claude: {
    file: ".mcp.json in the project",
    projectFolder: ".",
    started: (command, args) => ({ mcpServers: { skillset: { command, args } } }),
    addressed: (url) => ({ mcpServers: { skillset: { type: "http", url, headers: bearer(`\${${TOKEN}}`) } } }),
  },
  cursor: {
    file: ".cursor/mcp.json in the project",
    projectFolder: WORKSPACE,
    started: (command, args) => ({ mcpServers: { skillset: { command, args } } }),
    addressed: (url) => ({ mcpServers: { skillset: { url, headers: bearer(`\${env:${TOKEN}}`) } } }),
  },
  vscode: {
    file: ".vscode/mcp.json in the project",
    projectFolder: WORKSPACE,
    started: (command, args) => ({ servers: { skillset: { type: "stdio", command, args } } }),
    addressed: (url) => ({
      inputs: [{ type: "promptString", id: "skillset-token", description: "Token of skillset", password: true }],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it
      servers: { skillset: { type: "http", url, headers: bearer("${input:skillset-token}") } },
    }),
  },
  opencode: {
    file: "opencode.json in the project",
    projectFolder: ".",
    started: (command, args) => openCode({ type: "local", command: [command, ...args] }),
    addressed: (url) => openCode({ type: "remote", url, headers: bearer(`{env:${TOKEN}}`) }),
  },
  codex: {
    file: "~/.codex/config.toml",
    // A JSON string is a TOML string, and a list of them a TOML array.
    started: (command, args) => codex(`command = ${JSON.stringify(command)}`, `args = ${JSON.stringify(args)}`),
    addressed: (url) => codex(`url = ${JSON.stringify(url)}`, `bearer_token_env_var = "${TOKEN}"`),
  },
  gemini: {
    file: ".gemini/settings.json in the project",
    projectFolder: ".",
    started: (command, args) => ({ mcpServers: { skillset: { command, args } } }),
    addressed: (url) => ({ mcpServers: { skillset: { httpUrl: url, headers: bearer(`\${${TOKEN}}`) } } }),
  },
};

function bearer(token: string) {
  return { Authorization: `Bearer ${token}` };
}

function openCode(server: object): object {
  return { $schema: "https://opencode.ai/config.json", mcp: { skillset: { ...server, enabled: true } } };
}

function codex(...lines: readonly string[]): string {
  return ["[mcp_servers.skillset]", ...lines].join("\n");
}
