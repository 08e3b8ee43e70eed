import type { ConsentAnswer, ConsentRequest } from "../../core/script/script.ts";
import { confirm } from "./confirm.ts";
import type { Io } from "./io.ts";
import { createPaint, type Paint } from "./paint.ts";
import { printable, printableJson } from "./printable.ts";
import { writeLine } from "./write.ts";

/** Asks the person at the terminal whether a script may run. Denies without a terminal. */
export async function askConsent(io: Io, request: ConsentRequest): Promise<ConsentAnswer> {
  const { skill, signal } = request;
  if (!io.stdin.isTTY || !io.stderr.isTTY)
    return {
      deny: `The scripts of skill '${skill}' need consent, and there is no terminal to ask. Add --yes to allow them.`,
    };
  await writeLine(io.stderr, ...describe(request, createPaint(io.stderr, io.env)));
  const { stdin, stderr } = io;
  const isAllowed = await confirm("Run it? [y/N] ", {
    ...io,
    stdin,
    stderr,
    signal: AbortSignal.any([io.signal, signal]),
  });
  return isAllowed ? "once" : { deny: `You did not allow the scripts of skill '${skill}'.` };
}

function describe({ skill, digest, script, args, input, level }: ConsentRequest, paint: Paint): readonly string[] {
  const isContained = level !== "subprocess";
  const sandbox = isContained
    ? printable(level)
    : paint(["bold", "red"], "no sandbox. The script can do everything that you can do.");
  return [
    `${paint("bold", "Skill")}    ${printable(skill)} ${paint("dim", printable(digest).slice(0, SHOWN_DIGEST))}`,
    `${paint("bold", "Script")}   ${[printable(script), ...args.map((arg) => printableJson(arg))].join(" ")}`,
    // All of it, because what is not shown cannot be judged.
    ...(input === undefined ? [] : [`${paint("bold", "Input")}    ${printableJson(input)}`]),
    `${paint("bold", "Sandbox")}  ${sandbox}`,
  ];
}

/** `sha256:` and twelve digits, as `skillset trust` shows them. */
const SHOWN_DIGEST = 19;
