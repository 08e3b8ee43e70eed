import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { suggestName } from "../../core/manifest/name-rules.ts";
import { parseSkillMd } from "../../core/manifest/parse.ts";
import { toSkillMd } from "../../core/skill/serialise.ts";
import { TEMPLATE_DESCRIPTION, templateBody } from "../../core/skill/skill-template.ts";
import { standardFolders } from "../../node/load/sources.ts";
import { defineCommand } from "../command-line/command.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { printable, shownCommand, shownPath } from "../terminal/printable.ts";
import { writeLine } from "../terminal/write.ts";

export const newSkill = defineCommand({
  about: "Creates NAME/SKILL.md, a valid skill to start from.",
  arguments: [{ name: "NAME", about: "the skill's name: a-z, 0-9 and single hyphens", required: true }],
  options: {
    dir: {
      type: "string",
      value: "DIR",
      completes: "folders",
      default: ".",
      about: "the folder in which to create the skill's folder",
    },
    description: { type: "string", value: "TEXT", about: "what the skill does, and when to use it" },
  },
  examples: [
    ["skillset new release-notes", "a skill in ./release-notes"],
    ["skillset new release-notes --dir .agents/skills", "where agents look in this project"],
    [
      'skillset new release-notes --description "Writes release notes from commits. Use when a version is tagged."',
      "with its description",
    ],
  ],
  exitCodes: { 1: "the name or description is invalid, or the folder exists" },
  async run({ values, positionals: [name, ...rest] }, io) {
    if (name === undefined || rest.length > 0)
      throw new UsageError("'skillset new' needs one name, as in 'skillset new release-notes'.");
    const suggested = suggestName(name);
    if (name !== suggested) {
      throw new SkillError(
        "option-invalid",
        `'${name}' is not a valid skill name (a-z, 0-9 and single hyphens); try '${suggested}'.`,
      );
    }
    const text = toSkillMd({ name, description: values.description ?? TEMPLATE_DESCRIPTION, body: templateBody(name) });
    // Throws if the description is invalid; everything else is known to be valid.
    parseSkillMd(text, { policy: "strict", folder: name });
    const folder = join(resolve(io.cwd, values.dir ?? "."), name);
    writeSkill(folder, text);
    const shown = shownPath(folder, io);
    // npx sets this variable. A command that was started with it is usually not on PATH.
    const program = io.env.npm_command === "exec" ? ["npx", "skillset"] : ["skillset"];
    const isFound = standardFolders({ cwd: io.cwd, home: io.home }).some(({ path }) => path === dirname(folder));
    await writeLine(
      io.stdout,
      `Created ${shown}/SKILL.md. Next:`,
      `  1. In the description, say what the skill does and when to use it. A model sees nothing else at first.`,
      `  2. Write the steps below the frontmatter.`,
      `  3. ${shownCommand(...program, "validate", shown, "--strict")}`,
      `  4. ${shownCommand(...program, "prompt", shown)}`,
      isFound
        ? `  5. ${shownCommand(...program, "trust")}, if it is in your project, so that agents can use it without its path.`
        : `  Commands find it only by its path. To let them find it, move it to ./skills, or use --dir skills.`,
    );
    return 0;
  },
});

function writeSkill(folder: string, text: string): void {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) {
    throw new SkillError(
      "option-invalid",
      `'${printable(folder)}' already exists. Choose another name, or remove it first.`,
    );
  }
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SkillError("option-invalid", `'${printable(folder)}' cannot be created (${code}).`);
  }
  try {
    writeFileSync(join(folder, "SKILL.md"), text, { flag: "wx" });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
