import { defineCommand } from "../command/command.ts";
import { FILTER_OPTIONS, givenAgain, loadSkills, SCAN_OPTIONS, toFilter } from "../command/load.ts";
import { createPaint } from "../terminal/paint.ts";
import { write } from "../terminal/write.ts";
import { listAsJson } from "./list-json.ts";
import { listAsText } from "./list-text.ts";

export const list = defineCommand({
  usage: "[PATH…] [options]",
  about:
    "Lists the skills at the paths (a folder of skills, a skill, a SKILL.md or a glob), with what became of each.\n" +
    "Without a path it looks where agents keep skills: the project up to its git root, the home folder, this package.",
  options: {
    json: { type: "boolean", about: "print {skills, problems, collisions} for programs" },
    ...SCAN_OPTIONS,
    all: { type: "boolean", about: "whole descriptions, each skill's warnings, and the places that do not exist" },
    ...FILTER_OPTIONS,
  },
  examples: [
    ["skillset list", "every skill that an agent in this folder may use"],
    ["skillset list ./skills --disable '*-draft' --json", "a folder without its drafts, for a program"],
    ["skillset list ./vendor --recursive --all", "folders within folders, with everything there is to say"],
  ],
  async run({ values, positionals }, io) {
    const skillset = await loadSkills(positionals, { recursive: values.recursive ?? false, ...toFilter(values) }, io);
    const { stdout, env } = io;
    const text = values.json
      ? listAsJson(skillset)
      : listAsText(skillset, {
          given: givenAgain(positionals, values),
          all: values.all ?? false,
          paint: createPaint(stdout, env),
          io,
        });
    await write(stdout, text);
    return 0;
  },
});
