import type { PermissionRequest } from "../acp/permissions.ts";
import { confirm } from "./confirm.ts";
import type { Io } from "./io.ts";
import { clip, printable } from "./printable.ts";
import type { ThinkOutput } from "./think-output.ts";
import { writeLine } from "./write.ts";

/** The kinds of things that an agent asks to do, by the names that ACP gives them. */
export const KINDS = [
  "read",
  "search",
  "fetch",
  "think",
  "edit",
  "delete",
  "move",
  "execute",
  "switch_mode",
  "other",
] as const;

export interface Permissions {
  /** What the agent may do without anybody being asked. */
  readonly allowed: ReadonlySet<string>;
  /** Whether somebody sits at a terminal who can be asked about the rest. */
  readonly isAsking: boolean;
}

/** Decides on what an agent asks for. */
export function createAsk({ allowed, isAsking }: Permissions, output: ThinkOutput, io: Io) {
  return (request: PermissionRequest): boolean | Promise<boolean> =>
    allowed.has(request.kind) || (isAsking && output.ask(() => askPerson(request, io)));
}

async function askPerson({ title, kind, input, signal }: PermissionRequest, io: Io): Promise<boolean> {
  if (signal.aborted) return false;
  // An agent may call a thing what it likes; what it is about to do is in the input.
  const details = input === undefined ? "" : `  ${short(JSON.stringify(input), 500)}\n`;
  const question = `The agent asks to ${kind}: ${short(title, 200)}\n${details}Allow it this once? [y/N] `;
  try {
    return await confirm(question, { ...io, signal });
  } catch (error) {
    await writeLine(io.stderr, "");
    throw error;
  }
}

function short(text: string, width: number): string {
  return clip(printable(text.slice(0, 2 * width)), width);
}
