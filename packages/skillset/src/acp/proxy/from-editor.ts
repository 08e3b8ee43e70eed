import { type Fields, fieldsOf, listOf, rewriteLine, textOf } from "./message.ts";
import type { ProxySession } from "./proxy-session.ts";
import type { ProxySessions } from "./proxy-sessions.ts";

/** The requests that open a session of the agent. */
const OPENING: ReadonlySet<unknown> = new Set(["session/new", "session/load", "session/resume", "session/fork"]);

/** A message of the editor that needs work before the agent gets it. */
export interface EditorWork {
  readonly line: Buffer | string;
  /** The session that the message opens. */
  readonly opening?: ProxySession;
}

export function opensSession(method: unknown): boolean {
  return OPENING.has(method);
}

/** Returns what the agent gets instead of the editor's message. */
export async function fromEditor(
  line: Buffer,
  { method, params }: Fields,
  sessions: ProxySessions,
  signal: AbortSignal,
): Promise<EditorWork> {
  const given = fieldsOf(params);
  if (opensSession(method)) return openSession(line, given, sessions, signal);
  if (method === "session/prompt") return { line: await withSkills(line, given, sessions, signal) };
  return { line };
}

async function openSession(
  line: Buffer,
  params: Fields,
  sessions: ProxySessions,
  signal: AbortSignal,
): Promise<EditorWork> {
  const opening = await sessions.prepare(params, signal);
  if (opening === undefined) return { line };
  const { session, server } = opening;
  if (server === undefined) return { line, opening: session };
  const add = (fields: Fields): Fields => ({ ...fields, mcpServers: [...listOf(fields.mcpServers), server] });
  return { line: rewriteLine(line, "params", add), opening: session };
}

async function withSkills(
  line: Buffer,
  { sessionId, prompt }: Fields,
  sessions: ProxySessions,
  signal: AbortSignal,
): Promise<Buffer | string> {
  const session = sessions.find(textOf(sessionId));
  if (session === undefined || !Array.isArray(prompt)) return line;
  const added = await session.prompt(prompt, signal);
  sessions.checkTools(session);
  if (added === undefined) return line;
  return rewriteLine(line, "params", (fields) => {
    // The editor's blocks are taken from the exact message.
    const own = listOf(fields.prompt);
    return { ...fields, prompt: added.map((block) => own[prompt.indexOf(block)] ?? block) };
  });
}
