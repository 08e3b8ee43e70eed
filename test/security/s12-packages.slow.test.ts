import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { createSkillset } from "skillset";
import { bubblewrap, createScriptRunner } from "skillset/scripts";
import { expect, onTestFinished, test } from "vitest";
import { cacheFolder } from "../packages/cache-folder.ts";
import { type PackageRegistry, servePackages } from "../packages/package-registry.ts";
import { watchedRunner } from "../packages/watched-runner.ts";
import { skillMd, temporaryFolder, writeFiles } from "../temporary-folder.ts";
import { INSTALL_BLOCK } from "./packages/hostile-blocks.ts";
import {
  type Canaries,
  type HostileCase,
  hostileCases,
  hostileModules,
  hostileWheels,
} from "./packages/hostile-packages.ts";
import { report } from "./report.ts";

/** Running pip and npm takes most of the time, so few cases of the control are a sample. */
const STEP = Number(process.env.CASES ?? 100) >= 10_000 ? 1 : 8;
const hasSandbox = (await createScriptRunner("bubblewrap")).runner !== undefined;

/** Counts connections, and answers none of them. */
async function openCanary(): Promise<{ readonly address: string; count(): number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on("error", () => {}).end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, count: () => connections };
}

async function openRegistry(canaries: Canaries): Promise<PackageRegistry> {
  const wheels: Record<string, Buffer> = {};
  const elsewhere = `${canaries.server}/elsewhere-1.0-py3-none-any.whl`;
  const registry = await servePackages(wheels, hostileModules(canaries), { elsewhere });
  // Some wheels name the address of the registry.
  Object.assign(wheels, hostileWheels(canaries, new URL(registry.addresses.pythonIndex).origin));
  return registry;
}

/** The naive way: the file of the skill, without a sandbox. */
async function control(
  { tool, options = [] }: HostileCase,
  folder: string,
  canary: string,
  registry: PackageRegistry,
): Promise<void> {
  const { pythonIndex, npmRegistry } = registry.addresses;
  const home = temporaryFolder({ npmrc: `registry=${npmRegistry}\nfetch-retries=0\naudit=false\nfund=false\n` });
  const { PATH = "" } = process.env;
  const pip = { PIP_CONFIG_FILE: "/dev/null", PIP_INDEX_URL: pythonIndex, PIP_RETRIES: "0", CANARY: canary };
  const env = { PATH, HOME: home, GIT_TERMINAL_PROMPT: "0", ...pip, npm_config_cache: join(home, "cache") };
  const target = ["--no-cache-dir", "--target", join(home, "out"), ...options];
  const [program, args] = {
    pip: ["python3", ["-m", "pip", "install", ...target, "-r", "requirements.txt"]] as const,
    block: ["python3", ["-c", INSTALL_BLOCK, ...target]] as const,
    npm: ["npm", ["install", "--userconfig", join(home, "npmrc")]] as const,
  }[tool];
  await promisify(execFile)(program, args, { cwd: folder, env, timeout: 60_000 }).catch(() => {});
}

async function prepare(folder: string, registry: PackageRegistry, onRan: () => void): Promise<string> {
  const skillset = await createSkillset([folder], {
    onProblem: () => {},
    scripts: {
      runner: watchedRunner(bubblewrap(), onRan),
      consent: () => "once",
      packages: { ...registry.addresses, folder: cacheFolder() },
    },
  });
  const session = await skillset.session();
  return (await session.scripts.prepare(skillset.names[0] ?? "")).outcome;
}

test.skipIf(!hasSandbox)(
  "hostile declarations of packages reach nothing but the registry, and none of their code runs",
  async () => {
    const canary = await openCanary();
    const root = temporaryFolder();
    const base = { server: canary.address, file: join(root, "canary") };
    const registry = await openRegistry({ ...base, folder: "" });
    const count = hostileCases({ ...base, folder: "" }).length;
    const [through, harmless, outcomes]: [string[], string[], Record<string, number>] = [[], [], {}];
    let controls = 0;
    for (let index = 0; index < count; index++) {
      const folder = join(root, `tea-${index}`);
      const one = hostileCases({ ...base, folder })[index] as HostileCase;
      writeFiles(folder, { "SKILL.md": skillMd(`tea-${index}`), ...one.files });
      const reached = (before: number): boolean => canary.count() > before || existsSync(base.file);
      const before = canary.count();
      let ran = false;
      const outcome = await prepare(folder, registry, () => {
        ran = true;
      });
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (ran || reached(before)) through.push(`${one.tool}: ${one.title}`);
      rmSync(base.file, { force: true });
      if (index % STEP !== 0) continue;
      controls++;
      const start = canary.count();
      await control(one, folder, canary.address, registry);
      if (!reached(start)) harmless.push(`${one.tool}: ${one.title}`);
      rmSync(base.file, { force: true });
    }
    const ended = Object.entries(outcomes).map(([outcome, number]) => `${number} ${outcome}`);
    report("S12", {
      tried: "hostile declarations of packages",
      cases: count,
      through: through.length,
      control: `pip and npm reach the canary with ${controls - harmless.length} of ${controls}`,
      note: ended.join(", "),
    });
    expect(through).toEqual([]);
    expect(harmless).toEqual([]);
    expect(count).toBeGreaterThanOrEqual(70);
  },
  900_000,
);
