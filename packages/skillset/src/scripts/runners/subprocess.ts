import { existsSync } from "node:fs";
import { join } from "node:path";
import type { PackageLanguage, ScriptEnd, ScriptJob, ScriptRunner } from "../../core/script/script.ts";
import { makeTemporaryFolder, removeOwnedFolder } from "../../node/copy/owned-folder.ts";
import { cannotRunWithout } from "../process/cannot-run.ts";
import { describePlatform } from "../process/describe-platform.ts";
import { endWithHost } from "../process/end-with-host.ts";
import { findInterpreters, missingInterpreter } from "../process/find-interpreter.ts";
import { refuseFailures } from "../process/refuse-failures.ts";
import { runProcess } from "../process/run-process.ts";
import { fillArguments, scriptEnvironment, scriptLanguage, withLimits } from "../process/script-command.ts";

/**
 * Runs scripts as ordinary processes: no sandbox. For hosts that are a sandbox themselves, such as a container for one
 * conversation.
 */
export function subprocess(): ScriptRunner {
  return { level: "subprocess", check: async () => undefined, run: refuseFailures(run), cannotRun, platform };
}

const cannotRun = cannotRunWithout(async (language) => (await findInterpreters(language))[0]);

/** The same as that of a sandbox with the same interpreter, so that packages which were prepared there are used. */
async function platform(language: PackageLanguage): Promise<string> {
  return describePlatform(language, (await findInterpreters(language))[0]);
}

/** Imports of ES modules do not find the packages of npm: Node looks for those in folders above the script only. */
function packageVariables({ packagesFolder }: ScriptJob): Record<string, string> {
  if (packagesFolder === undefined) return {};
  return { PYTHONPATH: join(packagesFolder, "python"), NODE_PATH: join(packagesFolder, "node_modules") };
}

async function run(job: ScriptJob): Promise<ScriptEnd> {
  const { language, reason = "" } = scriptLanguage(job);
  if (language === undefined) return { outcome: "refused", reason };
  const [interpreter] = await findInterpreters(language);
  if (interpreter === undefined) return { outcome: "refused", reason: missingInterpreter(language) };
  const { skillFolder, outputFolder, script, args, ...rest } = job;
  // Its random name also identifies the processes of this run.
  const temporary = makeTemporaryFolder("skillset-run-");
  try {
    const folders = { skill: skillFolder, output: outputFolder, temporary };
    const shownCommand = [
      interpreter.program,
      ...interpreter.args,
      join(skillFolder, script),
      ...fillArguments(args, folders),
    ] as const;
    const command = existsSync("/bin/sh") ? withLimits(shownCommand, { files: job.limits.files }) : shownCommand;
    const env = scriptEnvironment(process.env.PATH ?? "", folders, { ...packageVariables(job), ...job.env });
    return await runProcess({
      ...rest,
      command: await endWithHost(command),
      shownCommand,
      cwd: skillFolder,
      env,
      marker: temporary,
      outputFolder,
    });
  } finally {
    removeOwnedFolder(temporary);
  }
}
