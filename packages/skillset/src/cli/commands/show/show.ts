import { SkillError } from "../../../core/base/errors.ts";
import type { ActivateOptions } from "../../../core/session/options.ts";
import type { Session } from "../../../core/session.ts";
import type { Skill } from "../../../core/skill/skill.ts";
import type { Skillset } from "../../../core/skillset.ts";
import { toModelMessage } from "../../../core/text/model-message.ts";
import { defineCommand } from "../../command-line/command.ts";
import { LOAD_OPTIONS, loadSkills, PATHS } from "../../command-line/load.ts";
import { whyNotFound } from "../../command-line/skills-elsewhere.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { printable } from "../../terminal/printable.ts";
import { shownText } from "../../terminal/shown-text.ts";
import { write, writeJson } from "../../terminal/write.ts";

export const show = defineCommand({
  about:
    "Prints exactly what a model gets when it activates a skill or, with --file, when it reads one of the skill's files.\n" +
    "If the skill or the file is refused, stderr shows the error that the model would get.",
  arguments: [{ name: "NAME", about: "the skill's name", required: true, completes: "skills" }, PATHS],
  options: {
    file: {
      type: "string",
      value: "FILE",
      completes: "skill-files",
      about: "read this file instead; the path is relative to the skill's folder",
    },
    arguments: { type: "string", value: "TEXT", about: "the words after the skill's name, for $ARGUMENTS and $0" },
    ...LOAD_OPTIONS,
    json: { type: "boolean", about: "print the result as JSON" },
  },
  examples: [
    ["skillset show code-review", "the skill's instructions, as a model gets them"],
    ["skillset show code-review --file references/checklist.md", "one of its files"],
    ['skillset show release ./skills --arguments "v2.0 today"', "the same as the message '/release v2.0 today'"],
  ],
  exitCodes: { 1: "the skill or the file is not available, or a path does not exist" },
  async run({ values, positionals: [name, ...paths] }, io) {
    const { file, arguments: words, json, recursive = false, bundled, profile } = values;
    if (name === undefined)
      throw new UsageError("'skillset show' needs a skill's name, as in 'skillset show pdf-forms'.");
    if (file !== undefined && words !== undefined)
      throw new UsageError("'--arguments' applies to the instructions, so it cannot be used with '--file'.");
    const skillset = await loadSkills(paths, { recursive, bundled, profile }, io);
    const { signal } = io;
    const given = await disclose(skillset, name, file, { signal, arguments: words }, () =>
      whyNotFound(skillset, name, paths, io),
    );
    const skill = skillset.get(name);
    if (skill !== undefined && file === undefined && !json) await write(io.stderr, notesOn(skill));
    if (json) await writeJson(io.stdout, given.value);
    else await write(io.stdout, [shownText(given.text, io.stdout)]);
    return 0;
  },
});

/** What people should know of the skill. A model does not get it. */
function notesOn({ argumentHint, triggers, toolsets = [] }: Skill): readonly string[] {
  const triggerLists = Object.entries(triggers ?? {}).map(([kind, texts]) => [`Trigger ${kind}`, texts] as const);
  const lists = [["Arguments", argumentHint ?? []], ...triggerLists, ["Toolsets", toolsets]] as const;
  return lists.flatMap(([title, given]) => {
    const texts = [given].flat();
    return texts.length === 0 ? [] : [`${title}: ${printable(texts.join(", "))}\n`];
  });
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
  explain: () => string,
): Promise<Disclosure> {
  const session = await skillset.session();
  try {
    return await (file === undefined ? activate(session, name, options) : read(session, name, file, options));
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    const hint = error.code === "skill-not-found" ? explain() : "";
    throw new SkillError(error.code, toModelMessage(error) + hint, { cause: error });
  }
}

/** Activates as a user, because a model cannot activate every skill by itself. */
async function activate(session: Session, name: string, options: ActivateOptions): Promise<Disclosure> {
  const value = await session.activate(name, { ...options, by: "user" });
  return { text: value.text, value };
}

async function read(session: Session, name: string, file: string, options: ActivateOptions): Promise<Disclosure> {
  // A model can read these files only after a user has activated the skill.
  if (session.skillset.get(name)?.modelInvocable === false) await activate(session, name, options);
  const { signal } = options;
  const value = await session.files(name).read(file, signal && { signal });
  return { text: value.content, value };
}
