import { lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { type AgentWith, agentNamesWith, whyNot } from "../../../agents/find-agent.ts";
import { SkillError } from "../../../core/base/errors.ts";
import { type InstallItem, installSkills } from "../../../node/install/install-skills.ts";
import { toInstallItems, toItem } from "../../../node/install/native-skills.ts";
import { resolvePath } from "../../../node/load/sources.ts";
import { agentOption } from "../../command-line/agent-option.ts";
import { defineCommand } from "../../command-line/command.ts";
import { EXIT_CODES } from "../../command-line/exit-codes.ts";
import { loadSkills, PATHS, PROFILE_OPTION, refuseDisabled } from "../../command-line/load.ts";
import { anyOf } from "../../command-line/parse-command-line.ts";
import { whyNone } from "../../command-line/skills-elsewhere.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import type { Io } from "../../terminal/io.ts";
import { counted, printable, shownPath } from "../../terminal/printable.ts";
import { untilEnded } from "../../terminal/until-ended.ts";
import { writeJson, writeLine } from "../../terminal/write.ts";

const NAMES = agentNamesWith("project");

export const install = defineCommand({
  usage: "--agent NAME [PATH…] [options]",
  about:
    "Copies skills to the folder where an agent looks for them, in this project or in another project or home.\n" +
    "Installs all skills or none.",
  arguments: [PATHS],
  options: {
    agent: { type: "string", value: "NAME", choices: NAMES, about: "the agent" },
    to: { type: "string", value: "DIR", completes: "folders", default: ".", about: "the project, or ~ for your home" },
    force: { type: "boolean", about: "replace skills of the same name" },
    ...PROFILE_OPTION,
    "dry-run": { type: "boolean", about: "show what would be copied where, and change nothing" },
    json: { type: "boolean", about: "print {agent, folder, dryRun, skills} as JSON" },
  },
  examples: [
    ["skillset install --agent claude ./skills/pdf", "in this project, for Claude"],
    ["skillset install --agent codex ./skills --to ~", "in your home, for all projects"],
    ["skillset install --agent claude", "copy the project's .agents/skills for Claude"],
  ],
  exitCodes: {
    1: "a skill exists already, is invalid, or is not found; nothing was installed",
    129: EXIT_CODES[129],
    143: EXIT_CODES[143],
  },
  async run({ values, positionals }, io) {
    const agent = agentOption("agent", values.agent, "project");
    if (agent === undefined) throw new UsageError(`'skillset install' needs '--agent NAME': ${NAMES.join(", ")}.`);
    const folder = targetOf(agent, values.to, io);
    const items = await itemsFrom(positionals, folder, values.profile, io);
    const there = items.map(({ name }) => name).filter((name) => isThere(join(folder, name)));
    if (there.length > 0 && !values.force) throw taken(there, folder, io);
    const isDry = values["dry-run"] ?? false;
    const options = { readOnly: false, replace: values.force ?? false };
    if (!isDry) {
      const code = await untilEnded(io.signal, (signal) => installSkills(folder, items, { ...options, signal }));
      if (code !== undefined) return code;
    }
    const skills = items.map((item) => describe(item, folder, there));
    if (values.json) await writeJson(io.stdout, { agent: agent.name, folder, dryRun: isDry, skills });
    else await writeLine(io.stdout, ...inWords(agent.name, folder, skills, isDry, io));
    return 0;
  },
});

/** For some agents, the folder in a home differs from the one in a project. */
function targetOf(agent: AgentWith<"project">, to: string | undefined, { cwd, home }: Io): string {
  const target = to === undefined ? cwd : resolvePath(to, cwd, home);
  if (resolve(target) !== resolve(home)) return join(target, agent.project.skills);
  if (agent.home !== undefined) return join(target, agent.home.skills);
  const names = anyOf(agentNamesWith("home"));
  throw new UsageError(`${whyNot("home", agent.name)} In a home, '--agent' takes ${names}.`);
}

async function itemsFrom(
  paths: readonly string[],
  folder: string,
  profile: string | undefined,
  io: Io,
): Promise<readonly InstallItem[]> {
  const { cwd, signal } = io;
  await refuseDisabled(paths, profile, io);
  if (paths.length > 0) return toInstallItems(paths, { cwd, signal });
  const found = await loadSkills([], { profile }, io);
  const items = await Promise.all(found.skills.map((skill) => toItem(skill, { signal })));
  const elsewhere = items.filter((item) => !("folder" in item && item.folder === join(folder, item.name)));
  if (elsewhere.length === 0) {
    const message = "No skill to install. Give a path, or run 'skillset list' to see what was found.";
    throw new SkillError("source-not-found", `${message} ${whyNone(found, [], io)}`.trimEnd());
  }
  return elsewhere;
}

interface Installed {
  readonly name: string;
  readonly path: string;
  readonly from: string | null;
  readonly replaced: boolean;
}

function describe(item: InstallItem, folder: string, replaced: readonly string[]): Installed {
  const from = "folder" in item ? item.folder : null;
  return { name: item.name, path: join(folder, item.name), from, replaced: replaced.includes(item.name) };
}

function inWords(agent: string, folder: string, skills: readonly Installed[], isDry: boolean, io: Io): string[] {
  const width = Math.max(...skills.map(({ name }) => printable(name).length));
  const rows = skills.map(({ name, from, path, replaced }) => {
    const way = `${from === null ? "" : `${shownPath(from, io)} -> `}${shownPath(path, io)}`;
    return `  ${printable(name).padEnd(width)}  ${way}${replaced ? "  (replaced)" : ""}`;
  });
  const did = isDry ? "Would install" : "Installed";
  return [...rows, `${did} ${counted(skills.length, "skill")} for ${agent} in ${shownPath(folder, io)}.`];
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function taken(names: readonly string[], folder: string, io: Io): SkillError {
  const shown = names.map((name) => `'${printable(name)}'`).join(", ");
  const verb = names.length === 1 ? "is" : "are";
  return new SkillError(
    "skill-collision",
    `${shown} ${verb} in '${shownPath(folder, io)}' already; nothing was installed. Use --force to replace existing skills.`,
  );
}
