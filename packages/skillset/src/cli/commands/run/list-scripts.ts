import { hostOf } from "../../../core/host/skill-host.ts";
import { isScriptPath } from "../../../core/script/is-script.ts";
import type { PackageStatus } from "../../../core/script/packages.ts";
import type { Skill } from "../../../core/skill/skill.ts";
import { findInterpreters } from "../../../scripts/process/find-interpreter.ts";
import { type Language, languageOf } from "../../../scripts/process/interpreter.ts";
import { requireScripts } from "../../command-line/script-options.ts";
import type { Io } from "../../terminal/io.ts";
import { createPaint } from "../../terminal/paint.ts";
import { printable } from "../../terminal/printable.ts";
import { writeJson, writeLine } from "../../terminal/write.ts";
import type { FoundSkill } from "./find-skill.ts";
import { describePackages } from "./prepare-skill.ts";

interface ListedScript {
  readonly path: string;
  /** `null` if neither the extension nor the first line names it. */
  readonly language: Language | null;
  readonly canRun: boolean;
}

/** Lists a skill's scripts, their languages, and whether the chosen runner can run them. Returns the exit code. */
export async function listScripts(found: FoundSkill, { json = false }: { json?: boolean }, io: Io): Promise<number> {
  const { skillset, skill } = found;
  await requireScripts(skillset, io);
  const host = hostOf(skillset, skill).scripts;
  const level = host?.level ?? "";
  const files = await skill.files.list(undefined, { signal: io.signal });
  const paths = files.filter(({ kind, path }) => kind === "file" && isScriptPath(path)).map(({ path }) => path);
  const scripts: ListedScript[] = [];
  for (const path of paths) {
    const language = languageIn(skill, path);
    scripts.push({ path, language: language ?? null, canRun: await hasInterpreter(level, language) });
  }
  const packages = await host?.packagesOf(skill, io.signal);
  if (json) await writeJson(io.stdout, { skill: skill.name, level, scripts, ...packagesAsJson(packages) });
  else if (scripts.length === 0) await writeLine(io.stdout, `Skill '${printable(skill.name)}' has no scripts.`);
  else await writeLine(io.stdout, ...describe(scripts, level, io));
  if (!json && packages !== undefined) {
    const lines = describePackages(packages, found.given, level);
    if (lines.length > 0) await writeLine(io.stdout, ...lines);
  }
  return 0;
}

function packagesAsJson(status: PackageStatus | undefined): object {
  return status === undefined || status.state === "none"
    ? {}
    : { packages: { state: status.state, ...status.declared } };
}

async function hasInterpreter(level: string, language: Language | undefined): Promise<boolean> {
  if (language === undefined) return false;
  if (level === "embedded") return language !== "ruby" && language !== "perl";
  return (await findInterpreters(language)).length > 0;
}

function languageIn({ origin }: Skill, path: string): Language | undefined {
  return origin.kind === "folder" ? languageOf(origin.folder, path) : undefined;
}

function describe(scripts: readonly ListedScript[], level: string, io: Io): readonly string[] {
  const paint = createPaint(io.stdout, io.env);
  const width = Math.max(...scripts.map(({ path }) => printable(path).length));
  const where = level === "subprocess" ? "without a sandbox" : `in ${level}`;
  return scripts.map(({ path, language, canRun }) => {
    const verdict = canRun ? paint("green", `runs ${where}`) : paint("yellow", `cannot run ${where}`);
    return `${printable(path).padEnd(width)}  ${(language ?? "unknown language").padEnd(10)}  ${verdict}`;
  });
}
