import type { PermissionRequest } from "../../acp/plan/permissions.ts";
import { confirm } from "../terminal/confirm.ts";
import type { Io } from "../terminal/io.ts";
import { clip } from "../terminal/printable.ts";
import { writeLine } from "../terminal/write.ts";
import type { ThinkOutput } from "./think-output.ts";

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
  // An agent may call a thing what it likes, and what it does is in the input: a person sees all of both, or is not asked.
  const head = `The agent asks to ${spelt(kind)}: ${spelt(title) || "(no title)"}\n`;
  const details = input === undefined ? "" : `  ${spelt(JSON.stringify(input))}\n`;
  if (head.length + details.length > MOST_SHOWN) {
    await writeLine(
      io.stderr,
      `The agent asks to ${clip(spelt(kind), 20)} something too long to be shown; it is refused.`,
    );
    return false;
  }
  try {
    return await confirm(`${head}${details}Allow it this once? [y/N] `, { ...io, signal });
  } catch (error) {
    await writeLine(io.stderr, "");
    throw error;
  }
}

/**
 * The text on one line with every character visible: those that a terminal would obey, hide or show as a blank are
 * spelt out, and runs of blanks, which would push the rest out of sight, are counted.
 */
function spelt(text: string): string {
  const spell = (character: string): string =>
    SHORT[character] ?? `\\u{${character.codePointAt(0)?.toString(16).padStart(4, "0")}}`;
  return text.replace(UNSEEN, spell).replace(/ {4,}/g, ({ length }) => ` [${length} blanks] `);
}

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Z}/gu;
const MOST_SHOWN = 4_000;
