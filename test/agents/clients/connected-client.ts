/** Where a client finds the server: a program to start, or a URL with its token. */
export type Place =
  | { readonly transport: "stdio"; readonly command: string; readonly args: readonly string[] }
  | { readonly transport: "http"; readonly url: string; readonly token: string };

/** What every MCP client can do, under any name. */
export interface ConnectedClient {
  toolNames(): Promise<string[]>;
  call(tool: string, input: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** The text of a result as sent over the wire; no client here has to interpret it. */
export function toAnswer(result: unknown): ToolAnswer {
  const { content, isError = false } = result as { content: { text: string }[]; isError?: boolean };
  return { text: content.map(({ text }) => text).join(""), isError };
}

export function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}
