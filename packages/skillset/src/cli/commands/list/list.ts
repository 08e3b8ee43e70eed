import { defineCommand } from "../../command-line/command.ts";
import { FILTER_OPTIONS, givenAgain, LOAD_OPTIONS, loadSkills, PATHS, toFilter } from "../../command-line/load.ts";
import { createPaint } from "../../terminal/paint.ts";
import { write } from "../../terminal/write.ts";
import { listAsJson } from "./list-json.ts";
import { listAsText } from "./list-text.ts";

export const list = defineCommand({
  about: "Lists skills and their status: enabled, disabled, unavailable, shadowed, locked or invalid.",
  arguments: [PATHS],
  options: {
    json: { type: "boolean", about: "print {skills, problems, collisions} as JSON" },
    ...LOAD_OPTIONS,
    all: { type: "boolean", about: "show full descriptions, warnings, and folders that do not exist" },
    ...FILTER_OPTIONS,
  },
  examples: [
    ["skillset list", "the skills that an agent in this folder can use"],
    ["skillset list ./skills --disable '*-draft' --json", "a folder without its drafts, as JSON"],
    ["skillset list ./vendor --recursive --all", "subfolders too, with full descriptions and warnings"],
  ],
  exitCodes: { 0: "success, even if some skills are invalid", 1: "a path does not exist" },
  async run({ values, positionals }, io) {
    const { recursive = false, bundled, profile } = values;
    const skillset = await loadSkills(positionals, { recursive, bundled, profile, ...toFilter(values) }, io);
    const { stdout, env } = io;
    const text = values.json
      ? listAsJson(skillset)
      : listAsText(skillset, {
          given: givenAgain(positionals, values),
          isStandard: positionals.length === 0,
          all: values.all ?? false,
          paint: createPaint(stdout, env),
          io,
        });
    await write(stdout, text);
    return 0;
  },
});
