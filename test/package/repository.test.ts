import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

const read = (path: string) => readFileSync(path, "utf8");
const readJson = (path: string) => JSON.parse(read(path));
const { scripts, version } = readJson("package.json") as { scripts: Record<string, string>; version: string };

test.each([
  "README.md",
  "CONTRIBUTING.md",
  "AGENTS.md",
  ".ci/run",
  ".github/workflows/ci.yml",
  ".github/PULL_REQUEST_TEMPLATE.md",
])("every npm script that %s names exists", (page) => {
  const names = [...read(page).matchAll(/npm run (?:--silent )?([a-z][a-z:-]*)(?! -w)/g)].map(([, name]) => name);
  expect(names.filter((name) => scripts[name as string] === undefined)).toEqual([]);
});

test("all packages have one version, and depend on exactly that version of each other", () => {
  const manifests = globSync("{packages,apps}/*/package.json").map(readJson);
  expect(manifests.map((manifest) => manifest.version)).toEqual(manifests.map(() => version));
  const used = manifests.map((manifest) => manifest.dependencies?.skillset).filter((range) => range !== undefined);
  expect(new Set(used)).toEqual(new Set([version]));
});

test("every package is published for everyone, with provenance", () => {
  const manifests = globSync("{packages,apps}/*/package.json").map(readJson);
  expect(manifests.map(({ publishConfig }) => publishConfig)).toEqual(
    manifests.map(() => ({ access: "public", provenance: true })),
  );
});

test.each(globSync(".github/ISSUE_TEMPLATE/*.yml"))("%s is a form", (file) => {
  const form = parse(read(file)) as { name: string; description: string; body: { type: string; id?: string }[] };
  expect([form.name, form.description].every((text) => text.length > 0)).toBe(true);
  const fields = form.body.filter(({ type }) => type !== "markdown");
  expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
});

test("workflows use actions by the commit, which nobody can move", () => {
  const used = globSync(".github/workflows/*.yml").flatMap((file) => [...read(file).matchAll(/uses: (\S+)/g)]);
  expect(used.length).toBeGreaterThan(0);
  for (const [, action] of used) expect(action).toMatch(/@[0-9a-f]{40}$/);
});

test("the workflow for other systems installs, builds and tests", () => {
  const { jobs } = parse(read(".github/workflows/ci.yml")) as {
    jobs: Record<string, { steps: { run?: string }[]; strategy?: { matrix: { os: string[] } } }>;
  };
  const commands = (job: string) => jobs[job]?.steps.flatMap(({ run }) => run ?? []);
  expect(commands("linux")).toEqual([".ci/run"]);
  expect(commands("others")).toEqual(
    expect.arrayContaining(["npm ci", "npm run build", "npm run test:quick", "npm test"]),
  );
  expect(jobs.others?.strategy?.matrix.os).toEqual(["macos-latest", "windows-latest"]);
});
