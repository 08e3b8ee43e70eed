import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importedPeers, OUR_ENTRY_POINTS } from "./entry-points.ts";

// A user's project: the packed package, its declared dependencies, and nothing else.
let project = "";

interface PackageJson {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}
let manifest: PackageJson;

beforeAll(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), "skillset-packed-")));
  const [{ filename }] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--pack-destination", project, "-w", "packages/skillset"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  ) as [{ filename: string }];
  const installed = join(project, "node_modules/skillset");
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", join(project, filename), "-C", installed, "--strip-components=1"]);
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
  manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as PackageJson;
  install(Object.keys(manifest.dependencies));
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Adds packages of this repository to the project. */
function install(names: readonly string[]): void {
  for (const name of names) {
    const place = join(project, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(realpathSync(join("node_modules", name)), place);
  }
}

function run(program: string): string {
  writeFileSync(join(project, "program.mjs"), program);
  const { stdout, stderr, status } = spawnSync(process.execPath, ["program.mjs"], { cwd: project, encoding: "utf8" });
  return status === 0 ? stdout.trim() : stderr;
}

const entries = OUR_ENTRY_POINTS.filter(({ owner }) => owner.folder === "packages/skillset");
const ALL = entries.map(({ specifier }) => specifier);
/** Entry points whose types need no optional package. */
const WITHOUT_PEERS = entries.filter((entry) => importedPeers(entry).length === 0).map(({ specifier }) => specifier);

test.each(ALL)("%s can be imported with only the declared packages", (entry) => {
  expect(run(`import * as all from "${entry}"; console.log(Object.keys(all).length > 0);`)).toBe("true");
});

test.each([
  [
    "ai",
    "ai@7",
    `import { withSkills } from "skillset/ai-sdk"; await withSkills({ session, request: { messages: [] } });`,
  ],
  [
    "@openai/agents",
    "@openai/agents@0.20",
    `import { withSkills } from "skillset/openai-agents"; await withSkills({ session, request: { input: "" } });`,
  ],
  [
    "@anthropic-ai/claude-agent-sdk",
    "@anthropic-ai/claude-agent-sdk@0.3",
    `import { ClaudeAgentSDKAdapter } from "skillset/claude"; await new ClaudeAgentSDKAdapter().evaluate(undefined);`,
  ],
  [
    "@opentelemetry/api",
    "@opentelemetry/api@1",
    `import { openTelemetry } from "skillset/opentelemetry"; await openTelemetry();`,
  ],
])("without '%s' the error names the package to install", (name, wanted, use) => {
  const [imports = "", call = ""] = use.split("; ");
  const program = `import { createSkillset } from "skillset"; ${imports};
    const session = await (await createSkillset([])).session();
    try { ${call} } catch (error) { console.log(error.code, error.message); }`;
  expect(run(program)).toBe(`peer-missing The package '${name}' is not installed. Run "npm install ${wanted}".`);
});

/** Returns the compiler's output for a program that uses each of these entry points. */
function compile(entries: readonly string[], skipLibCheck: boolean): string {
  const lines = entries.map((entry, index) => `import * as e${index} from "${entry}"; void e${index};`);
  writeFileSync(join(project, "program.ts"), lines.join("\n"));
  const compilerOptions = { module: "nodenext", target: "es2023", strict: true, noEmit: true, skipLibCheck, types: [] };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  const tsc = realpathSync("node_modules/.bin/tsc");
  return spawnSync(process.execPath, [tsc, "-p", project], { encoding: "utf8" }).stdout;
}

test("types resolve without the optional packages", () => {
  expect(compile(WITHOUT_PEERS, true)).toBe("");
});

test("types of 'skillset/openai' resolve with 'openai' alone", () => {
  install(["openai", "@types/node"]);
  const own = compile(["skillset/openai"], false).split("\n");
  expect(own.filter((line) => line.includes("node_modules/skillset/"))).toEqual([]);
});

test("types resolve with the optional packages, and the package's own types are valid", () => {
  // The adapter for Claude has its own types, because the SDK's come with a program of 200 MB.
  const other = ["openai", "@anthropic-ai/claude-agent-sdk"];
  install(Object.keys(manifest.peerDependencies).filter((name) => !other.includes(name)));
  expect(compile(ALL, true)).toBe("");
  const own = compile(ALL, false)
    .split("\n")
    .filter((line) => line.includes("node_modules/skillset/"));
  expect(own).toEqual([]);
});

test("the built files use only syntax that the oldest supported Node has", () => {
  const files = readdirSync("packages/skillset/dist", { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".js"),
  );
  expect(files.length).toBeGreaterThan(10);
  const wrong = files.filter((path) =>
    /^\s*(?:await )?using \w+ = /m.test(readFileSync(join("packages/skillset/dist", path), "utf8")),
  );
  expect(wrong).toEqual([]);
});
