import type { ConsentAnswer, ConsentRequest } from "../../core/script/script.ts";
import { confirm } from "./confirm.ts";
import type { Io } from "./io.ts";
import { createPaint, type Paint } from "./paint.ts";
import { printable, printableJson } from "./printable.ts";
import { writeLine } from "./write.ts";

/** Asks the person at the terminal whether a script may run. Denies without a terminal. */
export async function askConsent(io: Io, request: ConsentRequest): Promise<ConsentAnswer> {
  const { skill, signal, packages } = request;
  const what = packages === undefined ? "scripts" : "packages";
  if (!io.stdin.isTTY || !io.stderr.isTTY)
    return {
      deny: `The ${what} of skill '${skill}' need consent, and there is no terminal to ask. Add --yes to allow them.`,
    };
  await writeLine(io.stderr, ...describe(request, createPaint(io.stderr, io.env)));
  const { stdin, stderr } = io;
  const isAllowed = await confirm(packages === undefined ? "Run it? [y/N] " : "Install them? [y/N] ", {
    ...io,
    stdin,
    stderr,
    signal: AbortSignal.any([io.signal, signal]),
  });
  return isAllowed ? "once" : { deny: `You did not allow the ${what} of skill '${skill}'.` };
}

function describe(request: ConsentRequest, paint: Paint): readonly string[] {
  const { skill, digest, script, args, input, files, env = [], level, packages } = request;
  const isContained = level !== "subprocess";
  const sandbox = isContained
    ? printable(level)
    : paint(["bold", "red"], "no sandbox. The script can do everything that you can do.");
  return [
    `${paint("bold", "Skill")}    ${printable(skill)} ${paint("dim", printable(digest).slice(0, SHOWN_DIGEST))}`,
    ...(packages === undefined
      ? [`${paint("bold", "Script")}   ${[printable(script), ...args.map((arg) => printableJson(arg))].join(" ")}`]
      : describePackages(packages, paint)),
    // All of it, because what is not shown cannot be judged.
    ...(input === undefined ? [] : [`${paint("bold", "Input")}    ${printableJson(input)}`]),
    ...Object.entries(files).map(
      ([path, text]) => `${paint("bold", "File")}     ${printable(path)} ${printableJson(text)}`,
    ),
    ...(env.length === 0 ? [] : [`${paint("bold", "Gets")}     ${env.join(", ")}`]),
    `${paint("bold", "Sandbox")}  ${sandbox}`,
  ];
}

/** All of them, with the registry that they come from. What they depend on is installed too. */
function describePackages(
  { python, npm, pythonIndex, npmRegistry }: NonNullable<ConsentRequest["packages"]>,
  paint: Paint,
): readonly string[] {
  const lists = [
    { name: "pip", list: python, from: pythonIndex },
    { name: "npm", list: npm, from: npmRegistry },
  ];
  return lists.flatMap(({ name, list, from }) =>
    list.length === 0
      ? []
      : [
          `${paint("bold", "Install")}  with ${name} from ${printable(from)}, and what they depend on:`,
          ...list.map((one) => `           ${printable(one)}`),
        ],
  );
}

/** `sha256:` and twelve digits, as `skillset trust` shows them. */
const SHOWN_DIGEST = 19;
