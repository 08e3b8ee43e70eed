import type { PlannedCall } from "./plan-calls.ts";
import { type AttachedFile, type OfflineRequest, RUN, type SkillInstructions } from "./read-request.ts";

const MOST_RUNS = 2;

/** Runs the scripts that the instructions ask to run, in their order and each once per turn. */
export function planScripts(request: OfflineRequest, { name, body, files }: SkillInstructions): readonly PlannedCall[] {
  if (FORBIDS.test(request.message) || !request.tools.some((tool) => tool.name === RUN)) return [];
  const started = request.calls.filter(({ tool, isOfThisTurn }) => tool === RUN && isOfThisTurn);
  return namedScripts(files, body, request.files)
    .filter(({ script }) => !started.some(({ input }) => input.script === script))
    .slice(0, Math.max(0, MOST_RUNS - started.length))
    .map(({ script, args }) => ({ tool: RUN, input: { name, script, ...(args.length > 0 && { args }) } }));
}

const FORBIDS = /\b(?:not|never|without|don't|no)\b[^.!?\n]{0,40}\b(?:run|running|scripts?)\b/i;

interface NamedScript {
  readonly script: string;
  readonly args: readonly string[];
}

/** The scripts that a text asks to run, such as "Run `scripts/echo.sh one`" or a command in a code block. */
function namedScripts(
  files: readonly string[],
  body: string,
  attached: readonly AttachedFile[],
): readonly NamedScript[] {
  const found = files.flatMap((script) => {
    const place = placesOf(body, script).find(({ before }) => ASKS.test(before) || COMMAND.test(before));
    const args = place && argsOf(place, files, attached);
    return place && args ? [{ at: place.at, script, args }] : [];
  });
  return found.sort((one, other) => one.at - other.at);
}

interface Place {
  readonly at: number;
  /** The sentence up to the script's name, on the same line. */
  readonly before: string;
  /** The paragraph after it. */
  readonly after: string;
}

function placesOf(body: string, script: string): readonly Place[] {
  const places: Place[] = [];
  for (let at = body.indexOf(script); at !== -1; at = body.indexOf(script, at + 1)) {
    const [after = ""] = body.slice(at + script.length).split(/\n\s*\n/);
    const line = body.slice(body.lastIndexOf("\n", at) + 1, at);
    // A longer path that contains it is another file.
    if (/[\w/-]$/.test(line.replace(/\.\/$/, "")) || /^(?:[\w/-]|\.\w)/.test(after)) continue;
    places.push({ at, before: line.split(/[.!?]\s/).at(-1) ?? "", after });
  }
  return places;
}

/** The end of a sentence that asks to run what follows: "run", "run `python", "execute the script". */
const ASKS = /(?<!\b(?:not|never) |n't )\b(?:run|execute|start)\s+(?:the\s+)?(?:script\s+)?`?(?:\w+\s+)?(?:\.\/)?$/i;

/** The start of a command in a code block. */
const COMMAND = /^\s*(?=\S)(?:\$ )?(?:(?:ba|z)?sh |python3? |node |deno run )?(?:\.\/)?$/;

/**
 * The arguments of a script. An attached file takes the place of an example's file: the newest with the same extension,
 * or else the newest. Undefined if there are other placeholders or files that the skill lacks.
 */
function argsOf(
  { before, after }: Place,
  files: readonly string[],
  attached: readonly AttachedFile[],
): readonly string[] | undefined {
  const isCode = COMMAND.test(before) || before.split("`").length % 2 === 0;
  const [typed = ""] = isCode ? (/^[^`\n]*/.exec(after) ?? []) : [];
  const [, spelled] = SPELLED.exec(after.slice(typed.length)) ?? [];
  if (spelled !== undefined) return Array.from(spelled.matchAll(/`([^`]+)`/g), ([, word = ""]) => word);
  const words = typed.replace(/\s#.*/, "").matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g);
  const isMissing = (word: string) => /^[\w./-]*\.[a-z]\w{0,4}$/i.test(word) && !files.includes(word);
  const extensionOf = (name: string) => name.slice(name.lastIndexOf(".")).toLowerCase();
  const instead = (word: string) =>
    (attached.find(({ name }) => extensionOf(name) === extensionOf(word)) ?? attached[0])?.path ?? word;
  const args = Array.from(words, ([, double, single, bare]) => double ?? single ?? bare ?? "").map((word) =>
    isMissing(word) ? instead(word) : word,
  );
  const isFile = (word: string) => attached.some(({ path }) => path === word);
  return args.some((word) => !isFile(word) && (PLACEHOLDER.test(word) || isMissing(word))) ? undefined : args;
}

/** "with the arguments `one` and `two words`" */
const SPELLED = /^`?\s+with\s+(?:the\s+)?arguments?\s+((?:`[^`\n]+`(?:,?\s+and\s+|,\s+)?)+)/i;
const PLACEHOLDER = /[<>{}[\]|;&]|\.\.\.|…|\$(?!OUTPUT_DIR\b)/;
