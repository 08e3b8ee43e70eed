import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { defineCommand } from "../command/command.ts";
import { loadSkills, SCAN_OPTIONS } from "../command/load.ts";
import type { Io } from "../terminal/io.ts";
import { TryConversation } from "./try-conversation.ts";
import { linesFrom, runScript } from "./try-script.ts";

export const tryOut = defineCommand({
  usage: "[PATH…] [options]",
  about:
    "Opens a session in which you play the model: activate skills and read their files, and see what a model would get.\n" +
    "Lines from a file, or from a pipe, are replayed; one that fails makes the exit code 1, unless it starts with '!'\n" +
    "to say that it must. Without a path it looks where agents keep skills.",
  options: {
    script: { type: "string", value: "FILE", about: "replay the lines of a file" },
    ...SCAN_OPTIONS,
  },
  examples: [
    ["skillset try ./skills", "a session with the skills of a folder; 'help' lists what you can do there"],
    ["skillset try ./skills --script session.txt", "replay a session, as in a test or a bug report"],
    ["echo 'activate code-review' | skillset try", "one line from a pipe"],
  ],
  async run({ values: { script: file, recursive = false }, positionals }, io) {
    const script = file === undefined ? undefined : { name: file, lines: readLines(file, io) };
    const skillset = await loadSkills(positionals, { recursive }, io);
    const conversation = new TryConversation(await skillset.session(), io.signal);
    if (script !== undefined) return runScript(conversation, script, io);
    if (!io.stdin.isTTY || !io.stdout.isTTY)
      return runScript(conversation, { name: "stdin", lines: linesFrom(io) }, io);
    // The largest part of it, and only people need it.
    const { runTerminal } = await import("./try-terminal.ts");
    return runTerminal(conversation, io);
  },
});

function readLines(script: string, { cwd }: Io): readonly string[] {
  try {
    return readFileSync(resolve(cwd, script), "utf8").split(/\r?\n/);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SkillError("source-unreadable", `The script '${script}' cannot be read (${code}).`, { cause: error });
  }
}
