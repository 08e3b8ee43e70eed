import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inAgents } from "./installed.ts";

/** The official suite's result for one requirement. */
export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

export interface SuiteRun {
  readonly checks: readonly Check[];
  /** The client's output; empty if a server is tested. */
  readonly clientOutput: string;
}

export interface Scenario {
  readonly name: string;
  readonly specVersion: string;
}

/** Runs one scenario of the suite's command line, against a server (`--url`) or a client (`--command`). */
export async function runScenario({ name, specVersion }: Scenario, target: SuiteTarget): Promise<SuiteRun> {
  const results = mkdtempSync(join(tmpdir(), "skillset-suite-"));
  const [mode, ...given] =
    "url" in target ? ["server", "--url", target.url] : ["client", "--command", target.command.join(" ")];
  // Extension scenarios belong to no protocol version, so naming a version must be forced.
  const force = name.startsWith("sep-2640-") ? ["--force"] : [];
  try {
    const printed = await runSuite(
      [mode, ...given, "--scenario", name, "--spec-version", specVersion, "-o", results].concat(force),
    );
    const [folder] = readdirSync(results);
    if (folder === undefined) throw new Error(`The suite wrote no result for ${name}:\n${printed}`);
    const checks = JSON.parse(readFileSync(join(results, folder, "checks.json"), "utf8")) as Check[];
    const clientOutput = mode === "client" ? readFileSync(join(results, folder, "stdout.txt"), "utf8") : "";
    return { checks, clientOutput };
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

export type SuiteTarget = { readonly url: string } | { readonly command: readonly string[] };

/** The scenarios of the suite, with their protocol versions. */
export async function listScenarios(leg: "server" | "client"): Promise<ReadonlyMap<string, readonly string[]>> {
  const lines = (await runSuite(["list", `--${leg}`])).matchAll(/^ {2}- (\S+) \[([^\]]+)\]$/gm);
  return new Map([...lines].map(([, name = "", versions = ""]) => [name, versions.split(",")]));
}

/** The exit code shows only that a check failed; the output shows which one. */
function runSuite(given: readonly string[]): Promise<string> {
  const program = inAgents("node_modules/@modelcontextprotocol/conformance/dist/index.js");
  return new Promise((resolve, reject) =>
    execFile(process.execPath, [program, ...given], { timeout: 60_000 }, (error, stdout, stderr) => {
      if (error?.killed) reject(new Error(`The suite took too long: ${given.join(" ")}`, { cause: error }));
      else resolve(stdout + stderr);
    }),
  );
}
