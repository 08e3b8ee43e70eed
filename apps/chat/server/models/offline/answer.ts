import type { ChoiceReason } from "./choose-skill.ts";
import { describeRefusals, expectedRefusals } from "./expected-refusals.ts";
import { jsonTables } from "./json-tables.ts";
import { code, excerpt, prose, stepsOf } from "./markdown.ts";
import { type CallPlan, namedFiles, toolsOf } from "./plan-calls.ts";
import {
  ACTIVATE,
  type CatalogEntry,
  type OfflineRequest,
  type PastCall,
  READ,
  RUN,
  type SkillInstructions,
} from "./read-request.ts";

/** The footer of the first answer. */
export const FOOTER =
  "*This is an offline demo without a language model: it matches words and quotes texts. " +
  "For real answers, start the server with `OPENAI_API_KEY`, `ANTHROPIC_API_KEY` or `GOOGLE_GENERATIVE_AI_API_KEY`, " +
  "or add an OpenAI-compatible server under `models` in `config.toml`. Then select that model.*";

/** Appends the footer, once in a conversation. The page has a banner in every chat with this model. */
export function withFooter({ answers }: OfflineRequest, answer: string): string {
  return answers.some((text) => text.includes(FOOTER)) ? answer : `${answer}\n\n${FOOTER}`;
}

const MOST_STEPS = 8;
const LONGEST_STEP = 300;
const MOST_SUGGESTIONS = 5;
const MOST_WORDS = 8;

/** The answer after following a skill's instructions. */
export function answerWithSkill(
  request: OfflineRequest,
  instructions: SkillInstructions,
  reason: ChoiceReason,
  skipped: CallPlan["skipped"],
): string {
  const { name, body, files } = instructions;
  const steps = stepsOf(body);
  const left = steps.length - MOST_STEPS;
  const reads = readsOf(request, instructions);
  const expected = expectedRefusals(body);
  const results = resultsOf(request, name);
  const unread = namedFiles(files, "", body).filter((path) => !reads.some(({ input }) => input.path === path));
  return join([
    `I used the skill ${code(name)}: ${inWords(reason)}.`,
    steps.length > 0 && "Its instructions have these steps:",
    steps
      .slice(0, MOST_STEPS)
      .map((step, index) => `${index + 1}. ${prose(step, LONGEST_STEP)}`)
      .join("\n"),
    left > 0 && `(${left} more)`,
    "The instructions begin:",
    excerpt(body.replace(/\n\s*\n/g, "\n"), { lines: 8 }),
    ...reads.flatMap(({ input, result }) => {
      const path = code(String(input.path));
      if (result === undefined || result.isError)
        return [`I could not read ${path}: ${prose(result?.text ?? "", 300)}`];
      return [`From ${path}:`, excerpt(result.text)];
    }),
    ...describeRefusals(expected, readingsOf(request, name)),
    unread.length > 0 && `Not read: ${unread.map(code).join(", ")}.`,
    ...runsOf(request, name).flatMap(({ input, result }) => {
      const script = code(String(input.script));
      if (result === undefined || result.isError)
        return [`The script ${script} did not run: ${prose(result?.text ?? "it returned no result.", 300)}`];
      const given = request.files.filter(({ path }) => Array.isArray(input.args) && input.args.includes(path));
      return [
        ...given.map(({ name: file }) => `I ran ${script} on the attached file ${code(file)}.`),
        ...describeRun(String(input.script), result.text),
      ];
    }),
    ...results.flatMap(({ title, result }) => {
      if (result === undefined || result.isError)
        return [`The tool ${code(title)} failed: ${prose(result?.text ?? "it returned no result.", 300)}`];
      return [`The tool ${code(title)} returned:`, excerpt(result.text)];
    }),
    ...skipped.map(({ tool, field }) => `I did not call ${code(tool)}: the message has no value for ${code(field)}.`),
  ]);
}

/** The answer if a skill could not be loaded. */
export function answerWithoutInstructions({ calls }: OfflineRequest, name: string): string {
  const failed = calls.findLast(({ tool, isOfThisTurn }) => tool === ACTIVATE && isOfThisTurn)?.result;
  return join([
    failed === undefined
      ? `The skill ${code(name)} matches, but this model has no tools to load it. Write ${code(`/${name}`)} and your request.`
      : `The skill ${code(name)} matches, but it could not be loaded: ${prose(failed.text, 300)}`,
  ]);
}

/** The answer if no skill matches: a list of skills. */
export function answerWithoutSkill(isSmallTalk: boolean, suggestions: readonly CatalogEntry[]): string {
  const shown = suggestions.slice(0, MOST_SUGGESTIONS);
  const left = suggestions.length - shown.length;
  if (shown.length === 0) return join(["This demo has nothing to quote for that message."]);
  return join([
    isSmallTalk
      ? "This is only a demo, but it can show you these skills:"
      : "No skill clearly matches your message. You can try these:",
    shown.map(({ name, description }) => `- ${code(`/${name}`)} ${prose(description)}`).join("\n"),
    left > 0 && `(${left} more)`,
    `Use words from one of these descriptions, or start your message with a name: ${code(`/${shown[0]?.name} …`)}`,
  ]);
}

/** The answer to `/name` if the skill does not exist. */
export function answerUnknownName(name: string, near: readonly string[]): string {
  const or = near.map((one) => code(`/${one}`)).join(" or ");
  return join([`There is no skill named '${prose(name)}'.`, near.length > 0 && `Did you mean ${or}?`]);
}

function inWords(reason: ChoiceReason): string {
  switch (reason.why) {
    case "named":
      return "you asked for it by name";
    case "file":
      return `you named its file ${code(reason.path)}`;
    case "active":
      return "it is active, and your message matches no other skill";
    case "given":
      return "its instructions came with your message";
    case "words":
      return reason.words.length === 0
        ? "it is the best match for your message"
        : `your message shares these words with its description: ${reason.words.slice(0, MOST_WORDS).map(code).join(", ")}`;
  }
}

/** The skill's files that were read in this turn or before, in the order they are named; the last attempt of each. */
function readsOf(request: OfflineRequest, { name, files, body }: SkillInstructions): readonly PastCall[] {
  const { message } = request;
  // Those that must be refused have separate lines.
  const refused = new Set<unknown>(expectedRefusals(body).map(({ path }) => path));
  const reads = readingsOf(request, name).filter(({ input }) => !refused.has(input.path));
  const paths = [...namedFiles(files, message, body), ...reads.map(({ input }) => input.path)];
  return [...new Set(paths)].flatMap((path) => reads.findLast(({ input }) => input.path === path) ?? []).slice(0, 4);
}

function readingsOf({ calls }: OfflineRequest, name: string): readonly PastCall[] {
  return calls.filter(({ tool, input }) => tool === READ && input.name === name);
}

/** The scripts of the skill that were called in this turn. */
function runsOf({ calls }: OfflineRequest, name: string): readonly PastCall[] {
  return calls.filter(({ tool, input, isOfThisTurn }) => isOfThisTurn && tool === RUN && input.name === name);
}

/** Describes how a script ended, its output and its files. */
function describeRun(script: string, text: string): readonly string[] {
  const [summary = "", ...files] = text
    .replace(OUTPUT, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const ending = summary.startsWith(`${script} `) ? summary.slice(script.length + 1) : summary;
  return [
    `The script ${code(script)} ${prose(ending, 300)}`,
    ...Array.from(text.matchAll(OUTPUT), ([, stream, output = ""]) => [
      stream === "stdout" ? "It printed:" : "Its error output:",
      (stream === "stdout" ? jsonTables(output) : undefined) ?? excerpt(output),
    ]).flat(),
    ...(files.length > 0 ? [excerpt(files.join("\n"))] : []),
  ];
}

const OUTPUT = /^<(stdout|stderr)>\n((?:(?!^<(?:stdout|stderr)>$)[\s\S])*?)\n<\/\1>$/gm;

function resultsOf({ calls, tools }: OfflineRequest, name: string): readonly (PastCall & { readonly title: string })[] {
  const titles = new Map(toolsOf(tools, name).map((tool) => [tool.name, tool.title]));
  return calls.flatMap((call) => {
    const title = titles.get(call.tool);
    return call.isOfThisTurn && title !== undefined ? [{ ...call, title }] : [];
  });
}

function join(paragraphs: readonly (string | false)[]): string {
  return paragraphs.filter((paragraph) => paragraph !== false && paragraph !== "").join("\n\n");
}
