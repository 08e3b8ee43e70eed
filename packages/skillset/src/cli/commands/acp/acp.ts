import { resolve } from "node:path";
import type { Readable } from "node:stream";
import type { AgentCommand } from "../../../acp/index.ts";
import { RUNNER_NAMES } from "../../../core/script/runner-names.ts";
import type { Skillset } from "../../../core/skillset.ts";
import { resolvePath } from "../../../node/load/sources.ts";
import { defineCommand } from "../../command-line/command.ts";
import { EXIT_CODES } from "../../command-line/exit-codes.ts";
import { FILTER_OPTIONS, LOAD_OPTIONS, loadSkills, toFilter } from "../../command-line/load.ts";
import { oneOf } from "../../command-line/parse-command-line.ts";
import { checkEnv, ENV_OPTION, reportScripts, toSecrets } from "../../command-line/script-options.ts";
import type { Io } from "../../terminal/io.ts";
import { counted, printable } from "../../terminal/printable.ts";
import { writeLine } from "../../terminal/write.ts";
import { checkAgent, toAgentCommand } from "./acp-command.ts";
import { stopOnSignals } from "./acp-signals.ts";

export const acp = defineCommand({
  usage: "[options] [NAME] | [options] -- AGENT [ARGS…]",
  about:
    "Runs an ACP agent behind an editor, such as Zed or a JetBrains IDE, and adds skills to it. In the editor's " +
    "settings, use it as the command of the agent.\n" +
    "The skills are those of the folder in which the editor starts a conversation. The agent gets them as an MCP " +
    "server and in its prompts, and the editor as /name commands. All other messages are passed on unchanged.\n" +
    "Without an agent, SKILLSET_AGENT is its name or command. SKILLSET_TRACE=FILE records the agent's messages.",
  arguments: [
    {
      name: "AGENT",
      about: "a known agent's name, or a program that speaks ACP over stdin and stdout",
    },
    { name: "ARGS", about: "the program's arguments", multiple: true, completes: "files" },
  ],
  options: {
    skill: {
      type: "string",
      multiple: true,
      value: "PATH",
      completes: "files",
      about: "a skill or a folder of skills, instead of the standard folders",
    },
    ...LOAD_OPTIONS,
    ...FILTER_OPTIONS,
    scripts: {
      type: "string",
      value: "RUNNER",
      choices: RUNNER_NAMES,
      about: "run the skills' scripts, after the editor's user consents; without it, scripts are never run",
    },
    "allow-scripts": {
      type: "string",
      multiple: true,
      value: "NAME",
      completes: "skills",
      about: "run the scripts of this skill without asking, at any version; implies --scripts auto",
    },
    ...ENV_OPTION,
  },
  examples: [
    ["skillset acp opencode", "a known agent"],
    ["skillset acp -- npx @agentclientprotocol/claude-agent-acp", "any command that starts an agent"],
    ["skillset acp --skill ~/team/skills --scripts auto codex", "with other skills, and their scripts"],
  ],
  exitCodes: {
    0: "the editor disconnected, or Ctrl-C",
    1: "the agent was not found, or ended",
    129: EXIT_CODES[129],
    143: EXIT_CODES[143],
  },
  async run({ values, positionals }, io) {
    const { recursive = false, bundled, profile } = values;
    const allowScripts = values["allow-scripts"] ?? [];
    const runner = oneOf("scripts", values.scripts, RUNNER_NAMES) ?? (allowScripts.length > 0 ? "auto" : undefined);
    checkEnv(values.env, runner);
    const scripts = runner && { runner, ...toSecrets(values.env, io) };
    const paths = (values.skill ?? []).map((path) => resolvePath(path, io.cwd));
    const options = { recursive, bundled, profile, scripts, ...toFilter(values) };
    checkAgent(positionals, io.env);
    const command = (): AgentCommand => toAgentCommand(positionals, io);
    const report = (line: string): void => void writeLine(io.stderr, printable(`skillset: ${line}`)).catch(() => {});
    const load = async (cwd: string): Promise<Skillset> => {
      const skillset = await loadSkills(paths, options, { ...io, cwd });
      describe(skillset, cwd, report);
      if (scripts !== undefined) await reportScripts(skillset, io);
      return skillset;
    };
    // Loaded on demand: with the SDKs of two protocols, it is the largest part of the command line.
    const { runProxy } = await import("../../../acp/proxy/run-proxy.ts");
    const stop = stopOnSignals(io.signal);
    try {
      const { signal } = stop;
      const input = io.stdin as Readable;
      // An empty variable counts as unset.
      const trace = io.env.SKILLSET_TRACE ? resolve(io.cwd, io.env.SKILLSET_TRACE) : undefined;
      await runProxy({ command, input, write: writer(io), signal, load, allowScripts, report, trace });
      return stop.code;
    } finally {
      stop.release();
      // An open stdin would keep this program running.
      (io.stdin as Readable).destroy();
    }
  },
});

/** Says what was loaded, for people who read the editor's log of the agent. */
function describe({ size, entries }: Skillset, cwd: string, report: (line: string) => void): void {
  const locked = entries.filter(({ status }) => status === "locked").length;
  const rest =
    locked === 0
      ? ""
      : ` ${counted(locked, "skill")} locked: run 'skillset trust' there, and start a new conversation.`;
  report(`${counted(size, "skill")} in ${cwd}.${rest}`);
}

function writer({ stdout }: Io): (bytes: Uint8Array | string) => Promise<void> {
  return (bytes) =>
    new Promise((resolve, reject) => {
      stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
}
