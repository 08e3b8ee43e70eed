import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ScriptRunner } from "skillset/scripts";

/**
 * What code of a package leaves behind if it runs while packages are installed: a file of this name in `/output`, or a
 * request for it, which the proxy refuses.
 */
export const INSTALL_CANARY = "ran-while-installing";

/** Reports whether code of a package ran, before the folder of the packages is sealed or removed. */
export function watchedRunner(runner: ScriptRunner, onRan: () => void): ScriptRunner {
  const { prepare } = runner;
  if (prepare === undefined) throw new Error("The runner cannot install packages.");
  return {
    ...runner,
    prepare: async (job) => {
      const end = await prepare.call(runner, job);
      const refused = "stderr" in end ? /^Refused, because .*$/m.exec(end.stderr)?.[0] : undefined;
      if (existsSync(join(job.packagesFolder, INSTALL_CANARY)) || refused?.includes(INSTALL_CANARY)) onRan();
      return end;
    },
  };
}
