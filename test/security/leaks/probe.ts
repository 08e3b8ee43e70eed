import type { ConsentRequest, ScriptJob, ScriptRunner } from "../../../packages/skillset/src/core/script/script.ts";
import type { SessionOptions } from "../../../packages/skillset/src/core/session/options.ts";
import type { Session } from "../../../packages/skillset/src/core/session.ts";
import type { Skillset } from "../../../packages/skillset/src/core/skillset.ts";
import { createSkillset } from "../../../packages/skillset/src/node/load/create-skillset.ts";
import { skillMd, temporaryFolder } from "../../temporary-folder.ts";

/** The secret that no probe may see. It has characters that encodings change. */
export const CANARY = "sk-Canary/7f3a9Q+x&z=42";

/** One way in which a secret could get out. */
export interface Probe {
  readonly name: string;
  /** Does what leaks in a naive host, and returns everything that could be seen afterwards. */
  look(host: Host): Promise<string>;
  /** How somebody would read the secret from it. By default, it is just there. */
  readonly decode?: (seen: string) => string;
}

/**
 * A host that passes a secret to scripts. `ours` uses the library. `naive` adds it to the environment of every script, and
 * shows what they print.
 */
export interface Host {
  readonly isNaive: boolean;
  readonly runner: ScriptRunner;
  open(files: Readonly<Record<string, string>>, options?: OpenOptions): Promise<Opened>;
}

interface OpenOptions {
  readonly runner?: ScriptRunner;
  readonly session?: SessionOptions;
  readonly limits?: { readonly time?: number; readonly output?: number };
  /** Replaces what the host of the library supplies. */
  readonly secrets?: () => Record<string, string> | Promise<never>;
}

interface Opened {
  readonly skillset: Skillset;
  readonly session: Session;
  readonly asked: ConsentRequest[];
  /** What was shown while scripts ran. */
  readonly live: string[];
}

export const SCRIPT = "scripts/probe.mjs";

/** The files of the skill `ocr`, which names the secret, with one script. */
export function ocr(script: string, path = SCRIPT): Readonly<Record<string, string>> {
  const fields = "metadata:\n  env: OCR_TOKEN\n";
  return { "ocr/SKILL.md": skillMd("ocr", "Reads text.", "", fields), [`ocr/${path}`]: script };
}

/** The files of a skill that names nothing. */
export function other(script: string): Readonly<Record<string, string>> {
  return { "other/SKILL.md": skillMd("other", "Does more."), [`other/${SCRIPT}`]: script };
}

/** A script with the secret in `token`. */
export function withToken(code: string): string {
  return `import process from "node:process";\nimport { Buffer } from "node:buffer";\nconst token = process.env.OCR_TOKEN ?? process.argv[2];\n${code}\n`;
}

export function createHost(isNaive: boolean, runner: ScriptRunner): Host {
  return {
    isNaive,
    runner,
    open: async (files, { runner: own = runner, session, limits, secrets } = {}) => {
      const asked: ConsentRequest[] = [];
      const live: string[] = [];
      const supply = secrets ?? (() => ({ OCR_TOKEN: CANARY }));
      const skillset = await createSkillset([temporaryFolder(files)], {
        env: () => true,
        toolsets: "sandbox",
        scripts: {
          runner: isNaive ? withCanary(own) : own,
          ...(isNaive ? {} : { secrets: supply }),
          ...(limits && { limits }),
          onOutput: ({ text }) => void live.push(text),
          consent: (request) => {
            asked.push(request);
            return "always";
          },
        },
      });
      return { skillset, session: await skillset.session(session), asked, live };
    },
  };
}

/** The environment of the host, as many programs pass it on. */
function withCanary(runner: ScriptRunner): ScriptRunner {
  const run = (job: ScriptJob) => runner.run({ ...job, env: { OCR_TOKEN: CANARY } });
  return { level: runner.level, check: () => runner.check(), run };
}
