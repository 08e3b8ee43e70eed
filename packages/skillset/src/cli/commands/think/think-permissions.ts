import type { PermissionRequest } from "../../../acp/options/permissions.ts";
import { confirm } from "../../terminal/confirm.ts";
import type { Io } from "../../terminal/io.ts";
import { clip } from "../../terminal/printable.ts";
import { writeLine } from "../../terminal/write.ts";
import type { ThinkOutput } from "./think-output.ts";

export interface Permissions {
  /** The kinds of requests that are allowed without asking. */
  readonly allowed: ReadonlySet<string>;
  /** Whether a user at a terminal can decide on the rest. */
  readonly isAsking: boolean;
}

/** Decides on an agent's permission requests. */
export function createAsk({ allowed, isAsking }: Permissions, output: ThinkOutput, io: Io) {
  return (request: PermissionRequest): boolean | Promise<boolean> =>
    allowed.has(request.kind) || (isAsking && output.ask(() => askPerson(request, io)));
}

async function askPerson({ title, kind, input, signal }: PermissionRequest, io: Io): Promise<boolean> {
  if (signal.aborted) return false;
  // A title can be misleading and the input shows the real action, so a user sees all of both or is not asked.
  const head = `The agent asks to ${spelt(kind)}: ${spelt(title) || "(no title)"}\n`;
  const details = input === undefined ? "" : `  ${spelt(JSON.stringify(input))}\n`;
  if (head.length + details.length > MOST_SHOWN) {
    await writeLine(
      io.stderr,
      `The agent asks to ${clip(spelt(kind), 20)} something that is too long to show; the request is refused.`,
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
 * The text on one line with every character visible. Characters that a terminal would interpret, hide or show as a blank
 * are escaped. Long runs of blanks, which could push the rest out of view, are replaced by their length.
 */
function spelt(text: string): string {
  const spell = (character: string): string =>
    SHORT[character] ?? `\\u{${character.codePointAt(0)?.toString(16).padStart(4, "0")}}`;
  return text.replace(UNSEEN, spell).replace(/ {4,}/g, ({ length }) => ` [${length} blanks] `);
}

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Z}/gu;
const MOST_SHOWN = 4_000;
