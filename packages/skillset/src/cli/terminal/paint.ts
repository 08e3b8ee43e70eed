import { styleText } from "node:util";
import type { Io, Output } from "./io.ts";

/** Colours a text, where colours are enabled. */
export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

/** Colours only on a terminal; `NO_COLOR` disables them, and `FORCE_COLOR` enables them. */
export function createPaint(output: Output, env: Io["env"]): Paint {
  return wantsColour(output, env)
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_style, text) => text;
}

/** The same streams and folders with colours disabled, also for the programs that a command starts. */
export function withoutColour(io: Io): Io {
  const env = { ...io.env, NO_COLOR: "1", FORCE_COLOR: undefined };
  // Copied without being read: reading `stdin` opens it.
  return Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(io), env: { value: env, enumerable: true } },
  ) as Io;
}

function wantsColour(output: Output, { FORCE_COLOR, NO_COLOR, TERM }: Io["env"]): boolean {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return output.isTTY === true && !NO_COLOR && TERM !== "dumb";
}
