// Raises the versions according to the changesets, and moves their texts into CHANGELOG.md. Commits nothing.
import { execFileSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { setActionVersion } from "./release-action.ts";
import { findSummary, moveIntoChangelog } from "./release-changelog.ts";

const ACTION = "actions/validate/action.yml";
const changesets = globSync(".changeset/*.md", { exclude: [".changeset/README.md"] }).sort();
const summaries = changesets.map((file) => findSummary(readFileSync(file, "utf8")));
run("changeset", "version");

const { version } = readPackage("packages/skillset/package.json");
const root = readPackage("package.json");
writeFileSync("package.json", `${JSON.stringify({ ...root, version }, null, 2)}\n`);
// The action runs the version that it is released with.
writeFileSync(ACTION, setActionVersion(readFileSync(ACTION, "utf8"), version));
writeFileSync("CHANGELOG.md", moveIntoChangelog(readFileSync("CHANGELOG.md", "utf8"), version, summaries));
run("npm", "install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund");
console.log(`Version ${version}: review the changes, then commit them.`);

function readPackage(file: string): { readonly version: string } {
  return JSON.parse(readFileSync(file, "utf8")) as { version: string };
}

function run(program: string, ...given: readonly string[]): void {
  execFileSync(program, given, { stdio: "inherit", shell: process.platform === "win32" });
}
