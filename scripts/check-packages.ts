// Checks every published package: versions in lockstep, a valid package.json, valid types, and a small install size.
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkLockstep } from "./lockstep.ts";
import { entryPoints, listPackages, type Manifest, type Package, readManifest } from "./packages.ts";

/** Maximum of each figure. */
interface Limits {
  readonly packedKilobytes: number;
  readonly installedMegabytes: number;
  readonly installedPackages: number;
  readonly directDependencies: number;
}

const DEFAULT_LIMITS: Limits = {
  packedKilobytes: 250,
  installedMegabytes: 60,
  installedPackages: 40,
  directDependencies: 10,
};
const LIMITS: Readonly<Record<string, Limits>> = {
  "@skillset/sandbox": { packedKilobytes: 30, installedMegabytes: 230, installedPackages: 115, directDependencies: 3 },
  "@skillset/chat": { packedKilobytes: 3_000, installedMegabytes: 40, installedPackages: 3, directDependencies: 1 },
  "@skillset/testing": { packedKilobytes: 90, installedMegabytes: 45, installedPackages: 25, directDependencies: 2 },
  "@skillset/unplugin": { packedKilobytes: 20, installedMegabytes: 50, installedPackages: 35, directDependencies: 1 },
  skillset: { packedKilobytes: 1_100, installedMegabytes: 45, installedPackages: 25, directDependencies: 10 },
};

interface Packed {
  readonly filename: string;
  readonly size: number;
}

const apps = globSync("apps/*/package.json").map((file) => dirname(file));
const all = [
  ...listPackages(),
  ...[...apps, "."].map((folder): Package => ({ folder, manifest: readManifest(folder) })),
];
const published = all.filter(({ manifest }) => manifest.private !== true);
const problems = checkLockstep(all);
const folder = mkdtempSync(join(tmpdir(), "skillset-packages-"));
try {
  const packed = new Map(published.map((one) => [one.manifest.name, pack(one, folder)]));
  for (const { manifest } of published) {
    const tarball = join(folder, packed.get(manifest.name)?.filename ?? "");
    run("publint", [tarball, "--strict"]);
    // An app has nothing to import.
    if (entryPoints(manifest).length > 0) run("attw", [tarball, "--profile", "esm-only"]);
  }
  for (const { manifest } of published) checkFigures(manifest, measure(manifest, packed));
} finally {
  rmSync(folder, { recursive: true });
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function run(program: string, parameters: readonly string[]): void {
  const { status } = spawnSync(program, parameters, { stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) problems.push(`${program} ${parameters.join(" ")} failed.`);
}

function pack({ folder: source }: Package, target: string): Packed {
  // Silent, because the output of the script `prepack`, which builds an app, would be part of the JSON.
  const parameters = ["pack", "--silent", "--json", "--pack-destination", target, "-w", source];
  const output = execFileSync("npm", parameters, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const [packed] = JSON.parse(output) as [Packed];
  return packed;
}

/** Installs the packed package in an empty folder, with our packages that it needs and without optional peers. */
function measure({ name, dependencies = {} }: Manifest, packed: ReadonlyMap<string, Packed>): Limits {
  const project = mkdtempSync(join(folder, "project-"));
  const files = new Map([...packed].map(([one, { filename }]) => [one, `file:${join(folder, filename)}`]));
  const { [name]: own, ...overrides } = Object.fromEntries(files);
  writeFileSync(
    join(project, "package.json"),
    JSON.stringify({ private: true, dependencies: { [name]: own }, overrides }),
  );
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  execFileSync("npm", ["install", ...options], { cwd: project, stdio: ["ignore", "ignore", "inherit"] });
  const installed = globSync("node_modules/**", { cwd: project, withFileTypes: true }).filter((file) => file.isFile());
  const bytes = installed.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
  const lock = JSON.parse(readFileSync(join(project, "node_modules/.package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, unknown>>;
  };
  return {
    packedKilobytes: (packed.get(name)?.size ?? 0) / 1_000,
    installedMegabytes: bytes / 1_000_000,
    installedPackages: Object.keys(lock.packages).length,
    directDependencies: Object.keys(dependencies).length,
  };
}

function checkFigures({ name }: Manifest, figures: Limits): void {
  const limits = LIMITS[name] ?? DEFAULT_LIMITS;
  console.log(`\n| ${name} | | at most |\n| --- | ---: | ---: |`);
  for (const key of Object.keys(limits) as (keyof Limits)[]) {
    const words = key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    const figure = Math.round(figures[key] * 10) / 10;
    console.log(`| ${words} | ${figure} | ${limits[key]} |`);
    if (figure > limits[key]) problems.push(`${name}: ${figure} ${words}, at most ${limits[key]}.`);
  }
}
