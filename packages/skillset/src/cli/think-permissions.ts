import type { PermissionRequest } from "../acp/permissions.ts";
import { confirm } from "./confirm.ts";
import type { Io } from "./io.ts";
import { clip, printable } from "./printable.ts";
import type { ThinkOutput } from "./think-output.ts";
import { writeLine } from "./write.ts";

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
  // An agent may call a thing what it likes; what it is about to do is in the input, and all of it must be seen.
  const details = input === undefined ? "" : shown(JSON.stringify(input));
  if (details === undefined) {
    await writeLine(io.stderr, `The agent asks to ${kind} something too long to be shown; it is refused.`);
    return false;
  }
  const head = `The agent asks to ${kind}: ${clip(printable(title.slice(0, 400)), 200)}\n`;
  try {
    return await confirm(`${head}${details}Allow it this once? [y/N] `, { ...io, signal });
  } catch (error) {
    await writeLine(io.stderr, "");
    throw error;
  }
}

/** In full, with runs of blanks, which would push the rest out of sight, counted instead; undefined when it is too long. */
function shown(text: string): string | undefined {
  const whole = printable(text).replace(/ {4,}/g, ({ length }) => ` [${length} blanks] `);
  return whole.length > MOST_SHOWN ? undefined : `  ${whole}\n`;
}

const MOST_SHOWN = 4_000;
