// Dry run of a release: raises the versions in a copy of this folder, builds there, and packs the packages.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
}

const copy = mkdtempSync(join(tmpdir(), "skillset-release-"));
try {
  copyFiles();
  // Adds a changeset, so that there is always something to release.
  writeFileSync(join(copy, ".changeset/dry-run.md"), '---\n"skillset": patch\n---\n\nA dry run.\n');
  run("npm", "run", "release:version");
  run("npm", "run", "build");
  const manifests = globSync("{packages,apps}/*/package.json", { cwd: copy }).map((path) => ({ path, ...read(path) }));
  const versions = new Set([read("package.json"), ...manifests].map(({ version }) => version));
  if (versions.size !== 1)
    throw new Error(`All packages must have the same version, but have ${[...versions].join(", ")}.`);
  const published = manifests.filter((manifest) => manifest.private !== true);
  for (const { path } of published) run("npm", "publish", "--dry-run", "--access", "public", `./${dirname(path)}`);
  console.log(`Would publish ${published.map(({ name, version }) => `${name}@${version}`).join(", ")}.`);
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** Installed packages are linked, not copied, because the build only reads them. */
function copyFiles(): void {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
  });
  for (const file of new Set(listed.split("\0"))) {
    if (file !== "" && existsSync(file)) cpSync(file, join(copy, file), { verbatimSymlinks: true });
  }
  for (const folder of globSync("{.,packages/*,apps/*}/node_modules")) {
    symlinkSync(join(process.cwd(), folder), join(copy, folder), "junction");
  }
}

function read(path: string): Manifest {
  return JSON.parse(readFileSync(join(copy, path), "utf8")) as Manifest;
}

function run(program: string, ...given: readonly string[]): void {
  execFileSync(program, given, { cwd: copy, stdio: "inherit", shell: process.platform === "win32" });
}
