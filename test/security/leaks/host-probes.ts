import { spawnSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { runCaptured } from "../../../packages/skillset/src/cli/run-captured.ts";
import { MemorySessionStore } from "../../../packages/skillset/src/core/conversation/store.ts";
import type { ScriptRunner } from "../../../packages/skillset/src/core/script/script.ts";
import { openTelemetry } from "../../../packages/skillset/src/opentelemetry/index.ts";
import { startScriptedModel } from "../../../packages/testing/src/index.ts";
import { adapters } from "../../conformance/adapters/all.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { CANARY, type Host, ocr, other, type Probe, SCRIPT, withToken } from "./probe.ts";

const PRINT = ocr(withToken("console.log(token); console.error(token);"));
const WITH_TOOLSET = `---\nname: ocr\ndescription: Reads.\ntoolsets: ['toolsets/index:Ocr']\nmetadata:\n  env: OCR_TOKEN\n---\n\nRead.\n`;
/** How a naive host passes a secret to a script: as an argument. */
const argsOf = ({ isNaive }: Host): readonly string[] => (isNaive ? [CANARY] : []);

/** Looks at the machine while a script runs, and then stops the script. */
async function meanwhile(
  host: Host,
  options: { readonly args?: readonly string[]; readonly files?: Readonly<Record<string, string>> },
  look: () => string,
): Promise<string> {
  const { session } = await host.open(ocr(withToken("console.log('started'); setTimeout(() => {}, 30_000);")));
  const looked = new AbortController();
  let seen = "";
  const onOutput = () => {
    seen += look();
    looked.abort();
  };
  await session.scripts.run("ocr", SCRIPT, { ...options, onOutput, signal: looked.signal });
  return seen;
}

/** Secrets in what the host keeps, reports or starts. */
export const hostProbes: readonly Probe[] = [
  {
    name: "the result for a model",
    look: async (host) => {
      const { session } = await host.open(PRINT);
      const { tools } = await session.turn([{ role: "user", text: "Read." }]);
      const run = tools.find(({ id }) => id === "run_skill_script");
      return JSON.stringify(await run?.execute({ skill: "ocr", script: SCRIPT }));
    },
  },
  ...adapters.map(
    (adapter): Probe => ({
      name: `requests to a model: ${adapter.name}`,
      look: async (host) => {
        const { skillset } = await host.open(PRINT);
        const model = await startScriptedModel([
          { call: "run_skill_script", input: { skill: "ocr", script: SCRIPT } },
          { say: "Done." },
        ]);
        const agent = await adapter.start({ skills: skillset, modelUrl: model.url });
        try {
          await agent.say("Read it.");
          return JSON.stringify([model.requests, agent.session.ledger.entries]);
        } finally {
          await agent.close();
          await model.close();
        }
      },
    }),
  ),
  {
    name: "telemetry with content",
    look: async (host) => {
      const exporter = new InMemorySpanExporter();
      const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
      const telemetry = await openTelemetry({ content: true, tracer: provider.getTracer("leaks") });
      const { session } = await host.open(PRINT, { session: { telemetry } });
      await session.scripts.run("ocr", SCRIPT);
      return JSON.stringify(
        exporter.getFinishedSpans().map(({ attributes, events, status }) => [attributes, events, status]),
      );
    },
  },
  {
    name: "telemetry of an error",
    look: async (host) => {
      const exporter = new InMemorySpanExporter();
      const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
      const telemetry = await openTelemetry({ content: true, tracer: provider.getTracer("leaks") });
      const { session } = await host.open(PRINT, { session: { telemetry }, runner: failing() });
      await session.scripts.run("ocr", SCRIPT).catch(() => {});
      return JSON.stringify(
        exporter.getFinishedSpans().map(({ attributes, events, status }) => [attributes, events, status]),
      );
    },
  },
  {
    name: "the ledger, and what its listeners get",
    look: async (host) => {
      const module = "import process from 'node:process'; throw new Error('401 for ' + process.env.OCR_TOKEN);\n";
      const { session } = await host.open({ ...PRINT, "ocr/SKILL.md": WITH_TOOLSET, "ocr/toolsets/index.mjs": module });
      const heard: unknown[] = [];
      session.ledger.on("*", (entry) => heard.push(entry));
      await session.activate("ocr");
      await session.scripts.run("ocr", SCRIPT);
      return JSON.stringify([session.ledger.entries, heard]);
    },
  },
  {
    name: "the stored session",
    look: async (host) => {
      const store = new MemorySessionStore();
      const saved: unknown[] = [];
      const spy = {
        load: (id: string) => store.load(id),
        save: async (...given: Parameters<typeof store.save>) => {
          saved.push(given);
          await store.save(...given);
        },
      };
      const { session } = await host.open(PRINT, { session: { store: spy } });
      await session.activate("ocr", { by: "user", arguments: host.isNaive ? CANARY : "" });
      await session.scripts.run("ocr", SCRIPT);
      await session.turn([{ role: "user", text: "/ocr" }]);
      return JSON.stringify(saved);
    },
  },
  {
    name: "the inspected session and skillset",
    look: async (host) => {
      const { session, skillset } = await host.open(PRINT);
      await session.scripts.run("ocr", SCRIPT);
      const naive = host.isNaive ? { env: { OCR_TOKEN: CANARY } } : {};
      return inspect([session, skillset, naive], { depth: 12, showHidden: true }) + JSON.stringify([session, naive]);
    },
  },
  {
    name: "the question for consent",
    look: async (host) => {
      const { session, asked } = await host.open(PRINT);
      await session.scripts.run("ocr", SCRIPT, { args: argsOf(host) });
      return JSON.stringify(asked);
    },
  },
  {
    name: "an error of the function that supplies it",
    look: async (host) => {
      const secrets = async (): Promise<never> => {
        throw Object.assign(new Error(`vault returned ${CANARY}`), { value: CANARY });
      };
      // A naive host calls the function itself.
      if (host.isNaive) return everything(await secrets().catch((error: unknown) => error));
      const { session } = await host.open(PRINT, { secrets });
      return (
        everything(await session.scripts.run("ocr", SCRIPT).catch((error: unknown) => error)) +
        JSON.stringify(session.ledger.entries)
      );
    },
  },
  {
    name: "an invalid value",
    look: async (host) => {
      const wrong = `${CANARY}\0`;
      // The error of Node quotes the value.
      const start = async () => spawnSync("env", { env: { OCR_TOKEN: wrong } });
      if (host.isNaive) return everything(await start().catch((error: unknown) => error));
      const { session } = await host.open(PRINT, { secrets: () => ({ OCR_TOKEN: wrong }) });
      return everything(await session.scripts.run("ocr", SCRIPT).catch((error: unknown) => error));
    },
  },
  {
    name: "an error of the runner",
    look: async (host) => {
      const { session } = await host.open(PRINT, { runner: failing() });
      return everything(await session.scripts.run("ocr", SCRIPT).catch((error: unknown) => error));
    },
  },
  {
    name: "a refusal of the runner",
    look: async (host) => {
      const { session } = await host.open(PRINT, { runner: refusing() });
      return everything(await session.scripts.run("ocr", SCRIPT));
    },
  },
  {
    name: "the process of another skill",
    look: async (host) => {
      const { session } = await host.open({ ...PRINT, ...other(withToken("console.log(process.env);")) });
      const first = host.isNaive ? undefined : await session.scripts.run("ocr", SCRIPT);
      return JSON.stringify([first, await session.scripts.run("other", SCRIPT)]);
    },
  },
  {
    name: "the same skill in a session without it",
    look: async (host) => {
      const { skillset, session } = await host.open(ocr(withToken("console.log(token ?? 'none');")));
      await session.scripts.run("ocr", SCRIPT);
      const next = await skillset.session({ scripts: { secrets: () => ({ OCR_TOKEN: "another-value" }) } });
      return JSON.stringify(await next.scripts.run("ocr", SCRIPT));
    },
  },
  {
    name: "a program that the host starts meanwhile",
    look: async (host) => {
      if (host.isNaive) return spawnSync("env", { env: { ...process.env, OCR_TOKEN: CANARY } }).stdout.toString();
      return meanwhile(host, {}, () => spawnSync("env").stdout.toString() + JSON.stringify(process.env));
    },
  },
  {
    name: "the list of processes, for another user",
    look: async (host) => {
      const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
      const list = user.uid === undefined ? "/proc/[0-9]*/cmdline" : "/proc/[0-9]*/cmdline /proc/[0-9]*/environ";
      const show = () => spawnSync("sh", ["-c", `cat ${list} 2>/dev/null`], { ...user, maxBuffer: 1e8 });
      return meanwhile(host, { args: argsOf(host) }, () => show().stdout.toString("latin1"));
    },
  },
  {
    name: "temporary files of the library",
    look: async (host) => {
      const start = Date.now();
      // A naive host writes a file with variables for the script.
      const files: Record<string, string> = host.isNaive ? { "variables.txt": `OCR_TOKEN=${CANARY}` } : {};
      const seen = await meanwhile(host, { files }, () => temporaryFiles(start));
      return seen + temporaryFiles(start);
    },
  },
  ...["", "--json"].map(
    (flag): Probe => ({
      name: `the command line ${flag}`.trim(),
      look: async (host) => {
        const cwd = temporaryFolder(PRINT);
        const more = host.isNaive ? ["--", CANARY] : ["--env", "OCR_TOKEN"];
        const argv = ["run", "./ocr", SCRIPT, "--yes", "--runner", host.runner.level, ...(flag ? [flag] : []), ...more];
        const { stdout, stderr } = await runCaptured(argv, { cwd, env: { OCR_TOKEN: CANARY } });
        return stdout + stderr;
      },
    }),
  ),
  {
    name: "a value on the command line",
    look: async (host) => {
      const argv = ["run", "./ocr", SCRIPT, "--yes", "--env", `OCR_TOKEN=${CANARY}`];
      if (host.isNaive) return `Invalid option: ${argv.join(" ")}`;
      const { stdout, stderr } = await runCaptured(argv, { cwd: temporaryFolder(PRINT), env: {} });
      return stdout + stderr;
    },
  },
  toolset("the result of a toolset's tool", "return { token: process.env.OCR_TOKEN };"),
  toolset("the error of a toolset's tool", "throw new Error('401 for ' + process.env.OCR_TOKEN);"),
  toolset("what a toolset's tool prints", "console.error(process.env.OCR_TOKEN); process.exit(3);"),
  toolset("the description of a toolset's tool", "return 1;", "'Uses ' + process.env.OCR_TOKEN"),
];

function toolset(name: string, handler: string, description = "'Reads.'"): Probe {
  const module = `import process from "node:process";
export const Ocr = { tools: [{ name: "read", description: ${description}, handler() { ${handler} } }] };\n`;
  return {
    name,
    look: async (host) => {
      const { session } = await host.open({ "ocr/SKILL.md": WITH_TOOLSET, "ocr/toolsets/index.mjs": module });
      const { text } = await session.activate("ocr");
      const result = await session.call("ocr", "read", {}).catch((error: unknown) => error);
      return text + everything(result) + JSON.stringify(session.ledger.entries);
    },
  };
}

/** A runner whose error contains its job. */
function failing(): ScriptRunner {
  const run: ScriptRunner["run"] = async (job) => {
    throw Object.assign(new Error(`spawn E2BIG ${JSON.stringify(job.env)}`, { cause: job.env }), { env: job.env });
  };
  return { level: "failing", check: async () => undefined, run };
}

function refusing(): ScriptRunner {
  const run: ScriptRunner["run"] = async ({ env }) => ({
    outcome: "refused",
    reason: `no sandbox for ${JSON.stringify(env)}`,
  });
  return { level: "refusing", check: async () => undefined, run };
}

/** An error or a result with all that a log shows of it. */
function everything(value: unknown): string {
  return inspect(value, { depth: 8, showHidden: true }) + JSON.stringify(value) + String((value as Error)?.stack);
}

/** The contents of all files in temporary folders of this library that were written since a time. */
function temporaryFiles(since: number): string {
  const folders = readdirSync(tmpdir()).filter((name) => /^skillset-(?!test-)/.test(name));
  return folders.map((name) => filesIn(join(tmpdir(), name), since)).join("\n");
}

function filesIn(folder: string, since: number): string {
  try {
    if (statSync(folder).birthtimeMs < performance.timeOrigin) return "";
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter((path) => lstatSync(path).isFile() && lstatSync(path).mtimeMs >= since)
      .map((path) => readFileSync(path, "latin1").slice(0, 100_000))
      .join("\n");
  } catch {
    // It belongs to another process, which removed it meanwhile.
    return "";
  }
}
