import { type GetPromptResult, McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { SKILLS_EXTENSION_ID, type SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import { DEFAULTS, LIMITS, NAMES } from "../../core/base/limits.ts";
import { VERSION } from "../../core/base/version.ts";
import { catalogIn, discloseIn, namedOperationsIn, operationsIn, recordCatalogIn } from "../../core/in-session.ts";
import { OPERATIONS } from "../../core/operations/all.ts";
import type { OperationId } from "../../core/operations/operation-data.ts";
import { operationRules } from "../../core/operations/operation-rules.ts";
import { fillPlaceholders } from "../../core/session/placeholders.ts";
import type { Session } from "../../core/session.ts";
import { toModelMessage } from "../../core/text/model-message.ts";
import { withSearch } from "../../core/turn/show-catalog.ts";
import { serveTools } from "../tools/serve-tools.ts";
import { pageOf } from "./page.ts";
import { openScriptCall } from "./script-call.ts";
import type { SkillsServerOptions } from "./skills-server.ts";

/** Settings for `createMcpServer`. */
export interface McpServerSettings extends Omit<SkillsServerOptions, "extension"> {
  /** The server's instructions; empty for none. */
  readonly instructions: string;
  /** The Skills extension to attach; undefined if it is disabled. */
  readonly extension: SkillsExtension | undefined;
  /** Returns the names of skills that the client's model finds in the instructions or in the schema of a tool. */
  readonly seen: () => ReadonlySet<string> | undefined;
  /** Whether the client's later requests use the same session. */
  readonly isLasting: boolean;
}

/** Creates an MCP server for one session: operations as tools, skills as prompts, and the Skills extension. */
export function createMcpServer(session: Session, settings: McpServerSettings) {
  const { name = NAMES.library, version = VERSION, instructions, extension, prompts = true } = settings;
  const mcp = new McpServer({ name, version }, instructions === "" ? {} : { instructions });
  const notify = [() => mcp.sendToolListChanged()];
  const { operations, withholdTools = false, structured, files, allowScripts = [], seen, isLasting } = settings;
  // The skills that a person invoked as prompts: the model may use them as well.
  const chosen = new Set<string>();
  const by = (name: string) => (chosen.has(name) ? "user" : "model");
  const offered = () => {
    const setting = { use: () => ({ by }), listing: { seen: seen() } };
    return operationsIn(session, { allowHidden: true, ...operations }, setting);
  };
  serveTools(mcp, offered, {
    structured,
    ...(files !== undefined && { files }),
    open: (context, capabilities) => openScriptCall(session, context, capabilities, { allowScripts, isLasting }),
    listed: (tools, { extensions }) => {
      const usesExtension = extensions?.[SKILLS_EXTENSION_ID] !== undefined;
      return tools.filter(({ id }) => !(withholdTools && usesExtension && id !== undefined && isInExtension(id)));
    },
  });
  if (prompts) {
    servePrompts(mcp, session, chosen, settings);
    notify.push(() => mcp.sendPromptListChanged());
  }
  if (extension !== undefined) {
    extension.attach(mcp);
    notify.push(() => mcp.sendResourceListChanged());
  }
  return {
    mcp,
    /** Notifies the client that its lists are out of date. */
    notify: (): void => {
      for (const send of notify) send();
    },
  };
}

/** The instructions of a server, and the names that a model finds in them. */
export interface ServerInstructions {
  readonly text: string;
  /** Undefined if there are no skills to list. */
  readonly names: ReadonlySet<string> | undefined;
}

/**
 * Returns the server's instructions: how to use the catalog, then the catalog; empty for an empty skillset. The rules
 * come first, and the whole text stays within 4,096 characters if the names of the skills do, because a widely used
 * client shows its model no more.
 */
export function instructionsFor(
  session: Session,
  { catalog, operations = {} }: SkillsServerOptions,
): ServerInstructions {
  const { skills } = session.skillset;
  const names = skills.filter(({ modelInvocable }) => modelInvocable).map(({ name }) => name);
  if (names.length === 0) return { text: "", names: undefined };
  const write = (known: ReadonlySet<string>) => {
    // Which operations the rules describe depends on the names that the model sees.
    const head = `${INTRODUCTION}\n${operationRules(namedOperationsIn(session, operations, { seen: known }))}\n\n`;
    const budget = { characters: Math.max(0, DEFAULTS.instructionsCharacters - head.length) };
    const shown = catalogIn(session, skills, {
      format: "markdown",
      budget,
      ...withSearch(catalog, operations),
    });
    // The names of up to 200 skills are listed even if some clients cut them off. The last skill is among those.
    const isCut = catalog?.budget === undefined && shown.characters > budget.characters;
    const unseen = new Set([...shown.omitted, ...(isCut ? [...shown.full, ...shown.nameOnly].slice(-1) : [])]);
    return { shown, text: head + shown.text, seen: new Set(names.filter((name) => !unseen.has(name))) };
  };
  const first = write(new Set(names));
  const { shown, text, seen } = first.seen.size === names.length ? first : write(first.seen);
  recordCatalogIn(session, shown, names);
  return { text, names: seen };
}

const INTRODUCTION = "These skills are served here; the tools are this server's, whatever prefix they have.";

/** Clients with the extension read skills as resources. */
function isInExtension(id: OperationId): boolean {
  return OPERATIONS[id].returns === "skill-text";
}

function servePrompts(
  { server }: McpServer,
  session: Session,
  chosen: Set<string>,
  { pageSize = DEFAULTS.promptsInPage }: McpServerSettings,
): void {
  const invocable = () => session.skillset.skills.filter(({ userInvocable }) => userInvocable);
  server.registerCapabilities({ prompts: { listChanged: true } });
  server.setRequestHandler("prompts/list", ({ params }) => {
    const { items, nextCursor } = pageOf(invocable(), params?.cursor, pageSize, ({ name }) => name);
    const prompts = items.map(({ name, description, argumentHint }) => {
      const words = argumentHint === undefined ? PROMPT_ARGUMENT : { ...PROMPT_ARGUMENT, description: argumentHint };
      return { name, description, arguments: [words] };
    });
    return { prompts, nextCursor };
  });
  server.setRequestHandler("prompts/get", async ({ params }, { mcpReq: { signal } }): Promise<GetPromptResult> => {
    const skill = session.skillset.get(params.name);
    if (!skill?.userInvocable) {
      const message = toModelMessage(`There is no prompt '${params.name.slice(0, LIMITS.shown.nameCharacters)}'.`);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    }
    const words = params.arguments?.[PROMPT_ARGUMENT.name]?.trim() ?? "";
    try {
      // Some clients get every prompt just to list them, so a request does not activate the skill.
      const { text } = await discloseIn(session, skill, { arguments: words, signal });
      chosen.add(skill.name);
      // Arguments without a placeholder in the instructions are appended.
      const placeholders = { arguments: words, names: skill.argumentNames };
      const { hasArguments } = fillPlaceholders(await skill.instructions(), placeholders);
      const texts = words === "" || hasArguments ? [text] : [text, words];
      const messages = texts.map((one) => ({ role: "user" as const, content: { type: "text" as const, text: one } }));
      return { description: skill.description, messages };
    } catch (error) {
      throw new ProtocolError(ProtocolErrorCode.InternalError, toModelMessage(error));
    }
  });
}

const PROMPT_ARGUMENT = { name: "arguments", description: "What to do with the skill", required: false };
