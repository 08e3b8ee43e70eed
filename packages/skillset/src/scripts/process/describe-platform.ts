import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { PackageLanguage } from "../../core/script/script.ts";

const KNOWN = new Map<string, Promise<string>>();

/** Identifies what compiled packages depend on: the system, the processor, and the interpreter's binary interface. */
export function describePlatform(
  language: PackageLanguage,
  interpreter: { readonly program: string; readonly hostProgram?: string } | undefined,
): Promise<string> {
  if (interpreter === undefined) return Promise.resolve(`no ${language}`);
  const program = interpreter.hostProgram ?? interpreter.program;
  const known = KNOWN.get(program) ?? ask(language, program);
  KNOWN.set(program, known);
  return known;
}

const QUESTIONS: Readonly<Record<PackageLanguage, readonly string[]>> = {
  python: ["-I", "-c", "import sys, sysconfig; print(sys.implementation.cache_tag, sysconfig.get_platform())"],
  javascript: ["-p", "['node', process.versions.modules, process.platform, process.arch].join('-')"],
};

async function ask(language: PackageLanguage, program: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, QUESTIONS[language], { cwd: "/", timeout: 10_000 });
    return stdout.trim();
  } catch {
    return `unknown ${language}`;
  }
}
