import { join } from "node:path";
import type { ScriptRunner } from "../../core/script/script.ts";
import { languageOf } from "../process/interpreter.ts";
import { runProcess } from "../process/run-process.ts";

/**
 * Runs scripts as ordinary processes: no sandbox. For hosts that are a sandbox themselves, such as a container for one
 * conversation.
 */
export function subprocess(): ScriptRunner {
  return {
    level: "subprocess",
    check: async () => undefined,
    run: async ({ skillFolder, outputFolder, script, args, ...job }) => {
      const language = languageOf(skillFolder, script);
      if (language === undefined) return { outcome: "refused", reason: `Nothing here runs '${script}'.` };
      const env = {
        PATH: process.env.PATH ?? "",
        HOME: outputFolder,
        OUTPUT_DIR: outputFolder,
        SKILL_DIR: skillFolder,
      };
      const fill = (arg: string): string =>
        arg.replaceAll("$OUTPUT_DIR", outputFolder).replaceAll("$SKILL_DIR", skillFolder);
      const program = {
        shell: "sh",
        bash: "bash",
        python: "python3",
        javascript: process.execPath,
        typescript: process.execPath,
        ruby: "ruby",
        perl: "perl",
      }[language];
      const command = [program, join(skillFolder, script), ...args.map(fill)] as const;
      return runProcess({ command, cwd: skillFolder, env, ...job });
    },
  };
}
