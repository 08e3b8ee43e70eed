import { join } from "node:path";
import type { PackageLanguage, PrepareJob, ScriptEnd, ScriptJob, ScriptRunner } from "../../core/script/script.ts";
import { cannotRunWithout } from "../process/cannot-run.ts";
import { describePlatform } from "../process/describe-platform.ts";
import { missingInterpreter, onPath } from "../process/find-interpreter.ts";
import type { Language } from "../process/interpreter.ts";
import { refuseFailures } from "../process/refuse-failures.ts";
import { fillArguments, scriptLanguage } from "../process/script-command.ts";
import { checkSandbox } from "./sandbox/check-sandbox.ts";
import { installPackages } from "./sandbox/install-packages.ts";
import { packageMounts } from "./sandbox/package-mounts.ts";
import { INSIDE } from "./sandbox/profile.ts";
import { Sandbox } from "./sandbox/sandbox.ts";
import { findSandboxInterpreter, type SandboxInterpreter } from "./sandbox/sandbox-interpreter.ts";

/** Runs scripts in a bubblewrap sandbox (Linux): no network, no files of the host, and a read-only system. */
export function bubblewrap(): ScriptRunner & { readonly isInstalled: boolean } {
  const [program] = process.platform === "linux" ? onPath("bwrap") : [];
  const opened = program === undefined ? undefined : open(program);
  return {
    level: "bubblewrap",
    isInstalled: opened !== undefined,
    check: async () => (opened === undefined ? NOT_INSTALLED : opened.check()),
    run: refuseFailures(async (job: ScriptJob): Promise<ScriptEnd> => {
      const failure = opened === undefined ? NOT_INSTALLED : await opened.check();
      if (opened === undefined || failure !== undefined) return { outcome: "refused", reason: SANDBOX_FAILS };
      return opened.run(job);
    }),
    ...(opened && { cannotRun: cannotRunWithout(opened.find) }),
    platform: async (language) => opened?.platform(language) ?? "",
    prepare: refuseFailures(async (job: PrepareJob): Promise<ScriptEnd> => {
      const failure = opened === undefined ? NOT_INSTALLED : await opened.check();
      if (opened === undefined || failure !== undefined) return { outcome: "refused", reason: SANDBOX_FAILS };
      return opened.prepare(job);
    }),
  };
}

const NOT_INSTALLED = process.platform === "linux" ? "it is not installed." : "it needs Linux.";

/** Without details of the host: a model may read it. */
const SANDBOX_FAILS = "The sandbox does not work on this machine.";

interface Opened {
  find(language: Language): Promise<SandboxInterpreter | undefined>;
  check(): Promise<string | undefined>;
  run(job: ScriptJob): Promise<ScriptEnd>;
  platform(language: PackageLanguage): Promise<string>;
  prepare(job: PrepareJob): Promise<ScriptEnd>;
}

const OPENED = new Map<string, Opened>();

/** The test runs once in a process. */
function open(program: string): Opened {
  const known = OPENED.get(program);
  if (known !== undefined) return known;
  let sandbox: Sandbox | undefined;
  let checked: Promise<string | undefined> | undefined;
  const interpreters = new Map<Language, SandboxInterpreter>();
  const find = async (language: Language): Promise<SandboxInterpreter | undefined> => {
    sandbox ??= new Sandbox(program);
    const interpreter = interpreters.get(language) ?? (await findSandboxInterpreter(sandbox, language));
    if (interpreter !== undefined) interpreters.set(language, interpreter);
    return interpreter;
  };
  const run = async (job: ScriptJob): Promise<ScriptEnd> => {
    sandbox ??= new Sandbox(program);
    const { language, reason = "" } = scriptLanguage(job);
    if (language === undefined) return { outcome: "refused", reason };
    const interpreter = await find(language);
    if (interpreter === undefined) return { outcome: "refused", reason: missingInterpreter(language) };
    const { script, args, packagesFolder, ...rest } = job;
    const path = join(INSIDE.skill, script);
    const command = [interpreter.program, ...interpreter.args, path, ...fillArguments(args, INSIDE)];
    const packages = packageMounts({ ...(packagesFolder && { packagesFolder }) });
    const mounts = { ...interpreter.mounts, ...packages.mounts };
    return sandbox.run({ ...rest, command, mounts, env: { ...packages.env, ...job.env } });
  };
  const opened = {
    find,
    run,
    check: () => {
      sandbox ??= new Sandbox(program);
      checked ??= checkSandbox(sandbox, run);
      return checked;
    },
    platform: async (language: PackageLanguage) => describePlatform(language, await find(language)),
    prepare: (job: PrepareJob) => {
      sandbox ??= new Sandbox(program);
      return installPackages(sandbox, job, { find });
    },
  };
  OPENED.set(program, opened);
  return opened;
}
