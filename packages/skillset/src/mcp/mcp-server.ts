import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type GetPromptResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from "@modelcontextprotocol/server";
import { SKILLS_EXTENSION_ID, type SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import { takesArguments } from "../core/invocation.ts";
import { toModelMessage } from "../core/model-message.ts";
import type { Session } from "../core/session.ts";
import { VERSION } from "../core/version.ts";
import {
  createOperations,
  namesOf,
  type OperationId,
  type OperationResult,
  type SkillOperation,
} from "../tools/operations.ts";
import { pageOf } from "./page.ts";
import type { SkillsServerOptions } from "./skills-server.ts";

export interface McpServerSettings extends Omit<SkillsServerOptions, "extension"> {
  readonly instructions: string;
  readonly extension: SkillsExtension | undefined;
}

/** One MCP server over one session: the operations as tools, skills as prompts, and the extension. */
export function createMcpServer(session: Session, settings: McpServerSettings) {
  const { name = "skillset", version = VERSION, instructions, extension, prompts = true } = settings;
  const mcp = new McpServer({ name, version }, instructions === "" ? {} : { instructions });
  const notify = [() => mcp.sendToolListChanged()];
  serveTools(mcp, session, settings);
  if (prompts) {
    servePrompts(mcp, session, settings);
    notify.push(() => mcp.sendPromptListChanged());
  }
  if (extension !== undefined) {
    extension.attach(mcp);
    notify.push(() => mcp.sendResourceListChanged());
  }
  return {
    mcp,
    /** Tells the client that what it listed is out of date. */
    notify: (): void => {
      for (const send of notify) send();
    },
  };
}

/** The catalog, and how to use it, for the server's instructions: empty for an empty set. */
export function instructionsFor(session: Session, { catalog, operations = {} }: SkillsServerOptions): string {
  return session.prompt({ budget: { tokens: 4000 }, ...catalog, operations: namesOf(operations) });
}

function serveTools({ server }: McpServer, session: Session, { operations, withholdTools = false }: McpServerSettings) {
  const offered = (): readonly SkillOperation[] => createOperations(session, operations);
  server.registerCapabilities({ tools: { listChanged: true } });
  server.setRequestHandler("tools/list", (_request, { mcpReq: { envelope } }) => {
    // Since 2026 clients say it with each request; before, once at the start.
    const said = (envelope as Record<string, ClientCapabilities> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
    const capabilities = said ?? server.getClientCapabilities();
    const usesExtension = capabilities?.extensions?.[SKILLS_EXTENSION_ID] !== undefined;
    const tools = offered().filter(({ id }) => !(withholdTools && usesExtension && IN_EXTENSION.has(id)));
    return { tools: tools.map(toTool) };
  });
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq: { signal } }) => {
    const operation = offered().find(({ name }) => name === params.name);
    if (operation === undefined) {
      const message = toModelMessage(`There is no tool '${params.name.slice(0, 80)}'.`);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    }
    return toCallToolResult(await operation.execute(params.arguments ?? {}, { signal }));
  });
}

/** What a client gets from the extension by itself. */
const IN_EXTENSION: ReadonlySet<OperationId> = new Set(["activate_skill", "read_skill_file"]);

function toTool({ name, title, description, inputSchema, readOnly }: SkillOperation): Tool {
  const annotations = readOnly
    ? { title, readOnlyHint: true, idempotentHint: true, openWorldHint: false }
    : { title, readOnlyHint: false };
  return { name, title, description, inputSchema: inputSchema as Tool["inputSchema"], annotations };
}

function toCallToolResult(result: OperationResult): CallToolResult {
  const content = [{ type: "text" as const, text: result.text }];
  return result.isError ? { isError: true, content } : { content, structuredContent: result.data };
}

function servePrompts({ server }: McpServer, session: Session, { pageSize = 100 }: McpServerSettings) {
  const invocable = () => session.skillset.skills.filter(({ userInvocable }) => userInvocable);
  server.registerCapabilities({ prompts: { listChanged: true } });
  server.setRequestHandler("prompts/list", ({ params }) => {
    const { items, nextCursor } = pageOf(invocable(), params?.cursor, pageSize, ({ name }) => name);
    const prompts = items.map(({ name, description }) => ({ name, description, arguments: [PROMPT_ARGUMENT] }));
    return { prompts, ...(nextCursor !== undefined && { nextCursor }) };
  });
  server.setRequestHandler("prompts/get", async ({ params }, { mcpReq: { signal } }): Promise<GetPromptResult> => {
    const skill = session.skillset.get(params.name);
    if (!skill?.userInvocable) {
      const message = toModelMessage(`There is no prompt '${params.name.slice(0, 80)}'.`);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    }
    const words = params.arguments?.[PROMPT_ARGUMENT.name]?.trim() ?? "";
    try {
      const { text } = await session.activate(skill.name, { by: "user", arguments: words, signal });
      // Words that the instructions have no place for follow them.
      const texts = words === "" || takesArguments(await skill.instructions()) ? [text] : [text, words];
      const messages = texts.map((one) => ({ role: "user" as const, content: { type: "text" as const, text: one } }));
      return { description: skill.description, messages };
    } catch (error) {
      throw new ProtocolError(ProtocolErrorCode.InternalError, toModelMessage(error));
    }
  });
}

const PROMPT_ARGUMENT = { name: "arguments", description: "What to do with the skill", required: false };
