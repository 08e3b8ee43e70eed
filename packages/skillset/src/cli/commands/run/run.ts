import { SkillError } from "../../../core/base/errors.ts";
import { RUNNER_NAMES, SANDBOXES } from "../../../core/script/runner-names.ts";
import { defineCommand } from "../../command-line/command.ts";
import { PROFILE_OPTION } from "../../command-line/load.ts";
import { oneOf, wholeNumber } from "../../command-line/parse-command-line.ts";
import { checkEnv, ENV_OPTION, toSecrets } from "../../command-line/script-options.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { createPaint } from "../../terminal/paint.ts";
import { printable } from "../../terminal/printable.ts";
import { untilEnded } from "../../terminal/until-ended.ts";
import { writeLine } from "../../terminal/write.ts";
import { findSkill } from "./find-skill.ts";
import { listScripts } from "./list-scripts.ts";
import { prepareSkill } from "./prepare-skill.ts";
import { readInput } from "./read-input.ts";
import { DID_NOT_RUN, runScript } from "./run-script.ts";

export const run = defineCommand({
  usage: "DIR|NAME [SCRIPT] [options] [-- ARGS…]",
  about:
    "Runs one of a skill's scripts in a sandbox, after you allowed it, and prints its output. " +
    "Without SCRIPT, lists the skill's scripts.\n" +
    "The script starts in a read-only copy of the skill, without network access and without your environment. " +
    "It may write files to $OUTPUT_DIR; stderr shows where they are kept.",
  arguments: [
    {
      name: "SKILL",
      about:
        "a skill's folder, or the name of a skill in the standard folders; write './NAME' if a folder and a skill have the same name",
      required: true,
      completes: "skill-or-folder",
    },
    {
      name: "SCRIPT",
      about: "the script's path in the skill; 'scripts/' and the extension can be left out",
      completes: "skill-scripts",
    },
    { name: "ARGS", about: "the script's arguments", multiple: true, completes: "files" },
  ],
  options: {
    runner: {
      type: "string",
      value: "NAME",
      choices: RUNNER_NAMES,
      default: "auto",
      about: "what runs the script; 'auto' uses the strongest sandbox that works here, 'subprocess' has no sandbox",
    },
    minimum: { type: "string", value: "NAME", choices: SANDBOXES, about: "the weakest sandbox to accept" },
    input: {
      type: "string",
      value: "JSON",
      completes: "files",
      about: "a value that the script reads from stdin; '-' reads it from stdin, '@FILE' from a file",
    },
    ...ENV_OPTION,
    timeout: { type: "string", value: "SECONDS", default: "60", about: "the time limit" },
    output: {
      type: "string",
      value: "DIR",
      completes: "folders",
      about: "copy the files that the script writes to this folder",
    },
    overwrite: { type: "boolean", about: "with --output: replace files that exist" },
    prepare: {
      type: "boolean",
      about:
        "first install the packages that the skill declares in requirements.txt, package.json or its Python scripts; " +
        "the installation runs in the sandbox, and reaches the registries of pip and npm alone",
    },
    yes: { type: "boolean", about: "allow the script, and the packages, without asking" },
    json: { type: "boolean", about: "print only the result, as JSON" },
    ...PROFILE_OPTION,
  },
  examples: [
    ["skillset run ./skills/pdf", "list the skill's scripts"],
    ["skillset run ./skills/pdf extract.py -- --pages 1-3", "run scripts/extract.py with two arguments"],
    ["skillset run ./skills/pdf --prepare", "install the packages that its scripts need"],
    ["skillset run ./skills/ocr read.py --env OCR_TOKEN", "with a variable that the skill requires"],
    ["skillset run pdf extract --input '{\"pages\": 3}' --yes --json", "in a program: JSON in, JSON out, no question"],
  ],
  exitCodes: {
    0: "the script succeeded, or its scripts were listed",
    1: "the script exited with 1",
    124: "the script was stopped at its time limit",
    [DID_NOT_RUN]:
      "the script did not run: it was not found or not allowed, or no sandbox works; or its files were not copied, or its packages not installed",
    137: "the script was stopped at a limit of output, memory or processes",
    other: "the script's own exit code, or 128 + N if signal N ended it",
  },
  async run({ values, positionals }, io) {
    const [given, script, ...args] = positionals;
    if (given === undefined)
      throw new UsageError("'skillset run' needs a skill, as in 'skillset run ./skills/pdf extract.py'.");
    if (values.overwrite && values.output === undefined) throw new UsageError("'--overwrite' needs '--output'.");
    const runner = oneOf("runner", values.runner, RUNNER_NAMES);
    const minimum = oneOf("minimum", values.minimum, SANDBOXES);
    const timeout = wholeNumber("timeout", values.timeout, 1);
    checkEnv(values.env, runner ?? "auto");
    const secrets = toSecrets(values.env, io);
    let code = 0;
    const action = async (signal: AbortSignal): Promise<void> => {
      const inner = Object.create(io, { signal: { value: signal } }) as typeof io;
      const input = values.input === undefined ? undefined : await readInput(values.input, inner);
      const chosen = { ...(runner && { runner }), ...(minimum && { minimum }) };
      const limits = timeout === undefined ? {} : { time: timeout * 1000 };
      const scripts = { ...chosen, ...secrets, limits };
      const options = { scripts, profile: values.profile };
      if (values.prepare) {
        // The packages may be what the skill requires.
        const unchecked = await findSkill(given, { ...options, requirements: false }, inner);
        code = await prepareSkill(unchecked, values, { quiet: script !== undefined }, inner);
        if (code !== 0 || script === undefined) return;
      }
      const found = await findSkill(given, options, inner);
      if (script === undefined) code = await listScripts(found, values, inner);
      else code = await runScript(found, script, { ...values, args, input }, inner);
    };
    try {
      return (await untilEnded(io.signal, action)) ?? code;
    } catch (error) {
      if (!(error instanceof SkillError) || io.signal.aborted) throw error;
      // 1 would look like the script's own exit code.
      await writeLine(io.stderr, createPaint(io.stderr, io.env)("red", printable(error.message)));
      return DID_NOT_RUN;
    }
  },
});
