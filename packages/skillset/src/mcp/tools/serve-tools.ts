import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  type InputRequiredResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import { agentsWith } from "../../agents/find-agent.ts";
import { LIMITS } from "../../core/base/limits.ts";
import type { ModelTool } from "../../core/operations/model-tool.ts";
import { toModelMessage } from "../../core/text/model-message.ts";
import type { ExecuteOptions, OperationResult } from "../../core/tool/model-tool.ts";
import { fileUri, toFileContent } from "./file-content.ts";

/** Options for `serveTools`. */
export interface ServeToolsOptions {
  /**
   * Whether results have structured content.
   * @default true, except for clients that would show their model nothing else
   */
  readonly structured?: boolean;
  /**
   * Whether results can have files: images as image content, other files as embedded resources.
   * @default true
   */
  readonly files?: boolean;
  /**
   * Selects the tools to list for a client.
   * @default all tools
   */
  readonly listed?: (tools: readonly ModelTool[], capabilities: ClientCapabilities) => readonly ModelTool[];
  /**
   * Prepares one call.
   * @default nothing to prepare
   */
  readonly open?: (context: ServerContext, capabilities: ClientCapabilities) => ToolCall;
}

/** What a server adds to one call. */
export interface ToolCall {
  /** Calls the tool. By default it is called without anything else. */
  execute?(tool: ModelTool, input: unknown, options: ExecuteOptions): Promise<OperationResult>;
  /** Completes the result, or asks the client for input instead. */
  finish?(result: CallToolResult): Promise<CallToolResult | InputRequiredResult>;
}

/** Answers `tools/list` and `tools/call` with the tools that are currently available. */
export function serveTools(
  { server }: McpServer,
  offered: () => readonly ModelTool[],
  { structured, files = true, listed = (tools) => tools, open = () => ({}) }: ServeToolsOptions = {},
): void {
  server.registerCapabilities({ tools: { listChanged: true } });
  const takesFile = files ? () => true : undefined;
  // Since 2026, clients send their capabilities with each request; earlier ones send them once at the start.
  const capabilitiesOf = ({ mcpReq: { envelope } }: ServerContext): ClientCapabilities => {
    const said = (envelope as Record<string, ClientCapabilities> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
    return said ?? server.getClientCapabilities() ?? {};
  };
  server.setRequestHandler("tools/list", (_request, context) => {
    return { tools: listed(offered(), capabilitiesOf(context)).map(toTool) };
  });
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const { signal, envelope } = context.mcpReq;
    const tool = offered().find(({ name }) => name === params.name);
    if (tool === undefined) {
      const message = toModelMessage(`There is no tool '${params.name.slice(0, LIMITS.shown.nameCharacters)}'.`);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    }
    const said = (envelope as Record<string, Implementation> | undefined)?.[CLIENT_INFO_META_KEY];
    // A 2025 request over HTTP identifies its client only by the user agent.
    const client = (said ?? server.getClientVersion())?.name ?? context.http?.req?.headers.get("user-agent") ?? "";
    const { execute = executeAlone, finish } = open(context, capabilitiesOf(context));
    const operation = await execute(tool, params.arguments ?? {}, { signal, takesFile });
    const result = toCallToolResult(tool, operation, structured ?? !showsStructure(client));
    return (await finish?.(result)) ?? result;
  });
}

function executeAlone(tool: ModelTool, input: unknown, options: ExecuteOptions): Promise<OperationResult> {
  return tool.execute(input, options);
}

function toTool({ name, title = name, description, inputSchema, readOnly }: ModelTool): Tool {
  const annotations = readOnly
    ? { title, readOnlyHint: true, idempotentHint: true, openWorldHint: false }
    : { title, readOnlyHint: false };
  return { name, title, description, inputSchema: inputSchema as Tool["inputSchema"], annotations };
}

/** Whether a client shows its model only the structured content, in which instructions are one escaped string. */
function showsStructure(client: string): boolean {
  const name = client.toLowerCase();
  return agentsWith("mcp").some(
    ({ mcp }) => mcp.showsStructureAs !== undefined && name.startsWith(mcp.showsStructureAs),
  );
}

function toCallToolResult({ renamed }: ModelTool, result: OperationResult, isStructured: boolean): CallToolResult {
  const text = { type: "text" as const, text: result.text };
  if (result.isError) return { isError: true, content: [text] };
  const content = [text, ...(result.files ?? []).map((file) => toFileContent(file, fileUri(file)))];
  return { content, ...(isStructured && { structuredContent: withNames(result.data, renamed) }) };
}

/** Names fields as the model names the arguments. */
function withNames(data: object, renamed: Readonly<Record<string, string>> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [renamed[key] ?? key, value]));
}
