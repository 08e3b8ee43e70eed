import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { suggestName } from "../../core/manifest/name-rules.ts";
import { parseSkillMd } from "../../core/manifest/parse.ts";
import { toSkillMd } from "../../core/skill/serialise.ts";
import { TEMPLATE_DESCRIPTION, templateBody } from "../../core/skill/skill-template.ts";
import { defineCommand } from "../command/command.ts";
import { UsageError } from "../command/usage-error.ts";
import { printable, shownCommand, shownPath } from "../terminal/printable.ts";
import { writeLine } from "../terminal/write.ts";

export const newSkill = defineCommand({
  usage: "NAME [options]",
  about: "Writes NAME/SKILL.md: a valid skill to start from.",
  options: {
    dir: { type: "string", value: "DIR", about: "where to put the skill's folder (usually here)" },
    description: { type: "string", value: "TEXT", about: "what the skill does and when to use it" },
  },
  examples: [
    ["skillset new release-notes", "a skill in ./release-notes"],
    ["skillset new release-notes --dir .agents/skills", "where agents in this project look"],
    [
      'skillset new release-notes --description "Writes release notes from commits. Use when a version is tagged."',
      "described at once",
    ],
  ],
  async run({ values, positionals: [name, ...rest] }, io) {
    if (name === undefined || rest.length > 0)
      throw new UsageError("'skillset new' needs one name, as in 'skillset new release-notes'.");
    const suggested = suggestName(name);
    if (name !== suggested) {
      throw new SkillError(
        "option-invalid",
        `'${name}' cannot be a skill's name (a-z, 0-9 and single hyphens); try '${suggested}'.`,
      );
    }
    const text = toSkillMd({ name, description: values.description ?? TEMPLATE_DESCRIPTION, body: templateBody(name) });
    // Only a description from the command line can be wrong here.
    parseSkillMd(text, { policy: "strict", folder: name });
    const folder = join(resolve(io.cwd, values.dir ?? "."), name);
    writeSkill(folder, text);
    const shown = shownPath(folder, io);
    await writeLine(
      io.stdout,
      `Wrote ${shown}/SKILL.md. Next:`,
      `  1. Say in its description what it does and when to use it: that is all a model sees until it needs the skill.`,
      `  2. Write the steps below the frontmatter.`,
      `  3. ${shownCommand("skillset", "validate", shown, "--strict")}`,
      `  4. ${shownCommand("skillset", "prompt", shown)}`,
    );
    return 0;
  },
});

function writeSkill(folder: string, text: string): void {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) {
    throw new SkillError(
      "option-invalid",
      `'${printable(folder)}' exists already; choose another name, or remove it first.`,
    );
  }
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SkillError("option-invalid", `'${printable(folder)}' cannot be made (${code}): is something in its way?`);
  }
  try {
    writeFileSync(join(folder, "SKILL.md"), text, { flag: "wx" });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
