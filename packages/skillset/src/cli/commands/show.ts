import { SkillError } from "../../core/base/errors.ts";
import type { ActivateOptions } from "../../core/session/options.ts";
import type { Session } from "../../core/session.ts";
import type { Skillset } from "../../core/skillset.ts";
import { toModelMessage } from "../../core/text/model-message.ts";
import { defineCommand } from "../command/command.ts";
import { loadSkills, SCAN_OPTIONS } from "../command/load.ts";
import { UsageError } from "../command/usage-error.ts";
import type { Output } from "../terminal/io.ts";
import { statusReason } from "../terminal/status-mark.ts";
import { write, writeJson } from "../terminal/write.ts";

export const show = defineCommand({
  usage: "NAME [PATH…] [options]",
  about:
    "Prints exactly what a model gets when it activates a skill or, with --file, when it reads one of the skill's files.\n" +
    "What is refused exits with 1 and the sentence that the model would get. Without a path it looks where agents keep skills.",
  options: {
    file: { type: "string", value: "FILE", about: "read this file, by its path from the skill's folder" },
    arguments: { type: "string", value: "TEXT", about: "what fills $ARGUMENTS in the instructions" },
    ...SCAN_OPTIONS,
    json: { type: "boolean", about: "print the activation, or the reading, for programs" },
  },
  examples: [
    ["skillset show code-review", "the instructions of a skill, as a model gets them"],
    ["skillset show code-review --file references/checklist.md", "one of its files"],
    ['skillset show release ./skills --arguments "v2.0 today"', "as if someone had typed /release v2.0 today"],
  ],
  async run({ values, positionals: [name, ...paths] }, io) {
    const { file, arguments: words, json, recursive = false } = values;
    if (name === undefined)
      throw new UsageError("'skillset show' needs a skill's name, as in 'skillset show pdf-forms'.");
    if (file !== undefined && words !== undefined)
      throw new UsageError("'--arguments' fills the instructions, so it does not go with '--file'.");
    const skillset = await loadSkills(paths, { recursive }, io);
    const { signal } = io;
    const given = await disclose(skillset, name, file, { signal, arguments: words });
    if (json) await writeJson(io.stdout, given.value);
    else await write(io.stdout, [shownText(given.text, io.stdout)]);
    return 0;
  },
});

/** A text with its last line ended, otherwise as it is; on a terminal, what could steer or deceive it is spelt out. */
export function shownText(text: string, { isTTY }: Output): string {
  const ended = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return isTTY ? ended.replace(UNPRINTABLE, spell) : ended;
}

/** Control and format characters but for line ends, tabs and the joiners of emoji and of Indic and Arabic writing. */
const UNPRINTABLE = /\r(?!\n)|(?![\t\n\r\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu;

function spell(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

interface Disclosure {
  readonly text: string;
  readonly value: object;
}

async function disclose(
  skillset: Skillset,
  name: string,
  file: string | undefined,
  options: ActivateOptions,
): Promise<Disclosure> {
  const session = await skillset.session();
  try {
    return await (file === undefined ? activate(session, name, options) : read(session, name, file, options));
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    const hint = error.code === "skill-not-found" ? whyAbsent(skillset, name) : "";
    throw new SkillError(error.code, toModelMessage(error) + hint, { cause: error });
  }
}

/** As if a person had asked for it: that also works for the skills that a model may not activate by itself. */
async function activate(session: Session, name: string, options: ActivateOptions): Promise<Disclosure> {
  const value = await session.activate(name, { ...options, by: "user" });
  return { text: value.text, value };
}

async function read(session: Session, name: string, file: string, options: ActivateOptions): Promise<Disclosure> {
  // Its files are open to a model once a person has asked for it.
  if (session.skillset.get(name)?.modelInvocable === false) await activate(session, name, options);
  const value = await session.read(name, file, options);
  return { text: value.content, value };
}

/** A model is not told of skills that are not on offer; whoever asks for one by its name is. */
function whyAbsent({ entries }: Skillset, name: string): string {
  const entry = entries.find((one) => one.name === name);
  if (entry === undefined || entry.status === "enabled") return "";
  return ` (To you: there is one, ${statusReason(entry.status, entry.reason).replace(/\.$/, "")}.)`;
}
