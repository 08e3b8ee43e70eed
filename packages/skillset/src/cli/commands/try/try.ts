import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { SkillError } from "../../../core/base/errors.ts";
import { RUNNER_NAMES } from "../../../core/script/runner-names.ts";
import { defineCommand } from "../../command-line/command.ts";
import { LOAD_OPTIONS, loadSkills, PATHS } from "../../command-line/load.ts";
import { oneOf } from "../../command-line/parse-command-line.ts";
import { checkEnv, ENV_OPTION, reportScripts, toSecrets } from "../../command-line/script-options.ts";
import { whyNone } from "../../command-line/skills-elsewhere.ts";
import { askConsent } from "../../terminal/ask-consent.ts";
import type { Io } from "../../terminal/io.ts";
import { write } from "../../terminal/write.ts";
import { TryConversation } from "./try-conversation.ts";
import { linesFrom, runScript } from "./try-script.ts";

export const tryOut = defineCommand({
  about:
    "Opens a session in which you play the model: activate skills, read their files, and see what a model gets.\n" +
    "With --script, or with input from a pipe, it replays the lines. A line that starts with '!' is expected to fail.",
  arguments: [PATHS],
  options: {
    script: { type: "string", value: "FILE", completes: "files", about: "replay the lines of a file" },
    scripts: {
      type: "string",
      value: "RUNNER",
      choices: RUNNER_NAMES,
      default: "auto at a terminal",
      about: "run the skills' scripts, each after you allowed it",
    },
    yes: { type: "boolean", about: "allow all scripts without asking; implies --scripts auto" },
    ...ENV_OPTION,
    ...LOAD_OPTIONS,
  },
  examples: [
    ["skillset try ./skills", "open a session; type 'help' to list its commands"],
    ["skillset try ./skills --script session.txt", "replay a session, for a test or a bug report"],
    ["echo 'activate code-review' | skillset try", "one line from a pipe"],
    ["echo 'run pdf scripts/extract.py a.pdf' | skillset try --yes", "run a script, without a question"],
  ],
  exitCodes: {
    1: "a line failed, a line with '!' did not fail, or a path does not exist",
  },
  async run(
    { values: { script: file, recursive = false, bundled, profile, yes = false, ...values }, positionals },
    io,
  ) {
    const script = file === undefined ? undefined : { name: file, lines: readLines(file, io) };
    const isAsking = script === undefined && io.stdin.isTTY === true && io.stdout.isTTY === true;
    const wanted = oneOf("scripts", values.scripts, RUNNER_NAMES) ?? (yes ? "auto" : undefined);
    const runner = wanted ?? (isAsking ? "auto" : undefined);
    checkEnv(values.env, runner);
    const scripts = runner && { runner, ...toSecrets(values.env, io) };
    const skillset = await loadSkills(positionals, { recursive, bundled, profile, scripts }, io);
    if (skillset.size === 0) await write(io.stderr, [whyNone(skillset, positionals, io)]);
    // By default, only somebody who runs a script needs to know that none can run.
    if (wanted !== undefined) await reportScripts(skillset, io);
    const conversation = new TryConversation(await skillset.session(), io.signal, {
      consent: (request) => (yes ? "always" : askConsent(isAsking ? io : withoutTerminal(io), request)),
    });
    if (script !== undefined) return runScript(conversation, script, io);
    if (!isAsking) return runScript(conversation, { name: "stdin", lines: linesFrom(io) }, io);
    // Loaded on demand: scripts and pipes do not need it.
    const { runTerminal } = await import("./try-terminal.ts");
    return runTerminal(conversation, io, { asks: !yes });
  },
});

/** The lines of a replay must not answer questions. */
function withoutTerminal(io: Io): Io {
  return Object.create(io, { stdin: { value: Object.assign(Readable.from([]), { isTTY: false }) } }) as Io;
}

function readLines(script: string, { cwd }: Io): readonly string[] {
  try {
    return readFileSync(resolve(cwd, script), "utf8").split(/\r?\n/);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SkillError("source-unreadable", `The script '${script}' cannot be read (${code}).`, { cause: error });
  }
}
