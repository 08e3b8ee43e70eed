import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { createSkillset } from "skillset";
import { createScriptRunner } from "skillset/scripts";
import { expect, onTestFinished, test } from "vitest";
import { buildTarball, buildWheel } from "../packages/archives.ts";
import { cacheFolder } from "../packages/cache-folder.ts";
import { type PackageRegistry, servePackages } from "../packages/package-registry.ts";
import { skillMd, temporaryFolder, writeFiles } from "../temporary-folder.ts";
import { type Canaries, type HostileCase, hostileCases, pythonProject } from "./packages/hostile-packages.ts";
import { report } from "./report.ts";

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

function openRegistry({ server, file }: Canaries): Promise<PackageRegistry> {
  const project = Object.entries(pythonProject(file)).map(([path, text]) => [`source-1.0/${path}`, text]);
  return servePackages(
    {
      "words-2.1-py3-none-any.whl": buildWheel("words", "2.1", { "words.py": "" }),
      "source-1.0.tar.gz": buildTarball(Object.fromEntries(project)),
    },
    {
      loud: { version: "2.0.1", files: { "index.js": "" } },
      shout: { version: "1.2.0", manifest: { dependencies: { loud: "^2.0.0" } }, files: { "index.js": "" } },
      hooked: { version: "1.0.0", manifest: { scripts: { postinstall: `echo ran > ${file}` } }, files: {} },
      trojan: { version: "1.0.0", manifest: { dependencies: { y: `${server}/y.tgz` } }, files: {} },
      elsewhere: { version: "1.0.0", manifest: { dist: { tarball: `${server}/elsewhere.tgz` } }, files: {} },
    },
    { elsewhere: `${server}/elsewhere-1.0-py3-none-any.whl` },
  );
}

/** The naive way: the file of the skill, without a sandbox. */
async function control(
  { tool }: HostileCase,
  folder: string,
  canary: string,
  registry: PackageRegistry,
): Promise<void> {
  const { pythonIndex, npmRegistry } = registry.addresses;
  const home = temporaryFolder({ npmrc: `registry=${npmRegistry}\nfetch-retries=0\naudit=false\nfund=false\n` });
  const { PATH = "" } = process.env;
  const pip = { PIP_CONFIG_FILE: "/dev/null", PIP_INDEX_URL: pythonIndex, PIP_RETRIES: "0", CANARY: canary };
  const env = { PATH, HOME: home, GIT_TERMINAL_PROMPT: "0", ...pip, npm_config_cache: join(home, "cache") };
  const [program, args] =
    tool === "pip"
      ? ["python3", ["-m", "pip", "install", "--no-cache-dir", "--target", join(home, "out"), "-r", "requirements.txt"]]
      : ["npm", ["install", "--userconfig", join(home, "npmrc")]];
  await promisify(execFile)(program as string, args as string[], { cwd: folder, env, timeout: 60_000 }).catch(() => {});
}

async function prepare(folder: string, registry: PackageRegistry): Promise<string> {
  const skillset = await createSkillset([folder], {
    onProblem: () => {},
    scripts: {
      runner: "bubblewrap",
      consent: () => "once",
      packages: { ...registry.addresses, folder: cacheFolder() },
    },
  });
  const session = await skillset.session();
  return (await session.prepare(skillset.names[0] ?? "")).outcome;
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
    for (let index = 0; index < count; index++) {
      const folder = join(root, `tea-${index}`);
      const one = hostileCases({ ...base, folder })[index] as HostileCase;
      writeFiles(folder, { "SKILL.md": skillMd(`tea-${index}`), ...one.files });
      const reached = (before: number): boolean => canary.count() > before || existsSync(base.file);
      const before = canary.count();
      const outcome = await prepare(folder, registry);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (reached(before)) through.push(`${one.tool}: ${one.title}`);
      rmSync(base.file, { force: true });
      const start = canary.count();
      await control(one, folder, canary.address, registry);
      if (!reached(start)) harmless.push(`${one.tool}: ${one.title}`);
      rmSync(base.file, { force: true });
    }
    const ended = Object.entries(outcomes).map(([outcome, number]) => `${number} ${outcome}`);
    const reach = `pip and npm reach the canary in ${count - harmless.length} of ${count}`;
    report("S12", { cases: count, through: through.length, control: reach, note: ended.join(", ") });
    expect(through).toEqual([]);
    expect(harmless).toEqual([]);
    expect(count).toBeGreaterThanOrEqual(40);
  },
  900_000,
);
