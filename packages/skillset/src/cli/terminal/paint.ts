import { styleText } from "node:util";
import type { Io, Output } from "./io.ts";

/** Puts a text in a colour, where colours are wanted. */
export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

/** Colours only on a terminal; `NO_COLOR` switches them off and `FORCE_COLOR` on. */
export function createPaint(output: Output, env: Io["env"]): Paint {
  return wantsColour(output, env)
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_style, text) => text;
}

function wantsColour(output: Output, { FORCE_COLOR, NO_COLOR, TERM }: Io["env"]): boolean {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return output.isTTY === true && !NO_COLOR && TERM !== "dumb";
}
