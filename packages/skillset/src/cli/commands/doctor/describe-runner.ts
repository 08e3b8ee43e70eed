import { isScriptPath } from "../../../core/script/is-script.ts";
import type { Skillset } from "../../../core/skillset.ts";
import { findPackages } from "../../../scripts/packages/find-packages.ts";
import { createScriptRunner } from "../../../scripts/runners/create-script-runner.ts";
import { SkillPackages } from "../../../scripts/skill-packages.ts";
import type { Io } from "../../terminal/io.ts";
import { createPaint } from "../../terminal/paint.ts";
import { printable } from "../../terminal/printable.ts";

/** Says what `skillset run` would run scripts with, and why not with a stronger sandbox. Empty without scripts. */
export async function describeRunner(skillset: Skillset, io: Io): Promise<string> {
  if (!(await hasScripts(skillset, io))) return "";
  const found = await createScriptRunner("auto");
  const lines =
    found.runner === undefined
      ? [`They cannot run: ${found.reason}`, ...(found.fix === undefined ? [] : [`fix: ${found.fix}`])]
      : [`They run with the runner '${found.runner.level}'.`, ...found.skipped.map((reason) => `Not in ${reason}`)];
  if (found.runner !== undefined) lines.push(...(await describeMissing(skillset, new SkillPackages(found.runner), io)));
  const heading = createPaint(io.stdout, io.env)("bold", "Scripts");
  return `\n${heading}\n${lines.map((line) => `  ${printable(line)}\n`).join("")}`;
}

/** Stops at the first skill that has one. */
async function hasScripts({ skills }: Skillset, { signal }: Io): Promise<boolean> {
  for (const skill of skills) {
    const files = await skill.files.list(undefined, { signal }).catch(() => []);
    if (files.some(({ kind, path }) => kind === "file" && isScriptPath(path))) return true;
  }
  return false;
}

/** A line for each skill whose packages are not installed, or never will be. */
async function describeMissing({ skills }: Skillset, packages: SkillPackages, { signal }: Io): Promise<string[]> {
  const lines: string[] = [];
  for (const { name, files, isRemote } of skills) {
    if (isRemote) continue;
    const declared = await findPackages(files, signal).catch(() => undefined);
    if (declared === undefined) continue;
    const [refused] = declared.refused;
    const { state } = await packages.status(declared);
    if (refused !== undefined)
      lines.push(
        `The packages of '${name}' cannot be installed: ${refused.file}, line ${refused.line}: ${refused.message}.`,
      );
    else if (state === "missing")
      lines.push(`The packages of '${name}' are not installed. To install them, run: skillset run ${name} --prepare`);
  }
  return lines;
}
