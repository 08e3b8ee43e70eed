import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { JudgedCall } from "../../../core/allowed-tools/decide-call.ts";
import { hostCall, type ToolNames } from "../../../core/allowed-tools/judged-call.ts";
import { type KnownTool, toToolCall } from "../../../core/allowed-tools/tool-call.ts";
import { checkCallIn, toolNamesIn } from "../../../core/in-session.ts";
import type { Session } from "../../../core/session.ts";
import type { ToolKind } from "../../options/tool-kinds.ts";

/** The fields in which agents describe a call. */
type RequestedCall = Pick<ToolCallUpdate, "title" | "name" | "kind" | "rawInput" | "locations">;

/** Returns why an active skill of a session does not allow what an agent asks for. Records it. */
export function outsideRequest(sessions: Iterable<Session>, call: RequestedCall, cwd: string): string | undefined {
  for (const session of sessions) {
    for (const one of requestedCalls(call, toolNamesIn(session))) {
      const decision = checkCallIn(session, one, cwd);
      if (!decision.allowed) return decision.message;
    }
  }
  return undefined;
}

/**
 * Returns what an agent asks permission for. All of it must be allowed: an agent may report a command under any kind.
 * Other titles are text for people: they name a tool only if they look like one.
 */
function requestedCalls(call: RequestedCall, names: ToolNames | undefined): readonly JudgedCall[] {
  const { kind, rawInput } = call;
  const given = typeof rawInput === "object" && rawInput !== null ? rawInput : {};
  const [location, ...others] = new Set(call.locations?.map(({ path }) => path));
  const path = location !== undefined && others.length === 0 && kind !== "execute" ? { path: location } : {};
  // Some agents report a command only as the title.
  const command = kind === "execute" && rawInput == null && call.title != null ? { command: call.title } : {};
  const input = { ...path, ...command, ...given };
  const tools = Object.entries(KINDS).flatMap(([tool, kinds]) => (kinds.includes(kind ?? "other") ? [tool] : []));
  const named = [call.name, call.title].find((one) => one != null && /^[\w.-]{1,128}$/.test(one)) ?? "";
  const asked: JudgedCall =
    tools.length === 0 ? hostCall(named, input, names) : { readings: tools.map((tool) => toToolCall(tool, input)) };
  const hasCommand = kind !== "execute" && "command" in given;
  return [asked, ...(hasCommand ? [{ readings: [toToolCall("Bash", given)] }] : [])];
}

/** The kinds of calls under which agents report what each tool does. */
const KINDS: Readonly<Record<KnownTool, readonly ToolKind[]>> = {
  Bash: ["execute"],
  Read: ["read"],
  Edit: ["edit", "delete", "move"],
  Write: ["edit", "delete", "move"],
  MultiEdit: ["edit"],
  NotebookEdit: ["edit"],
  Grep: ["search"],
  Glob: ["search"],
  LS: ["search"],
  WebFetch: ["fetch"],
};
