import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { AgentDefinition } from "./agent-definition.ts";
import { AGENTS } from "./all.ts";
import { acpProgramCalled, agentNamesWith, agentWith } from "./find-agent.ts";

const SOURCES = fileURLToPath(new URL("../", import.meta.url));
const PAGE = fileURLToPath(new URL("../../../../docs/agents.md", import.meta.url));
const PROMPT_PAGE = fileURLToPath(new URL("../../../../docs/prompt.md", import.meta.url));
const definitions: readonly AgentDefinition[] = AGENTS;
const read = (file: string): string => readFileSync(join(SOURCES, file), "utf8");
const sources = globSync("**/*.ts", { cwd: SOURCES }).filter((file) => !file.endsWith(".test.ts"));

describe("everything about an agent is in its definition:", () => {
  test("no file elsewhere has an agent's name, or the name of its program, in quotes", () => {
    const names = definitions.flatMap(({ name, acp }) => [name, acp?.command ?? name, acp?.reportedName ?? name]);
    const quoted = new RegExp(`(["'\`])(?:${[...new Set(names)].join("|")})\\1`);
    // The adapter to Claude's SDK is about that one agent.
    const elsewhere = sources.filter((file) => !/^(?:agents|claude)\//.test(file));
    expect(elsewhere.length).toBeGreaterThan(100);
    expect(elsewhere.filter((file) => quoted.test(read(file)))).toEqual([]);
  });

  test("every file of a definition is in the list, and exports the agent of its name", () => {
    const files = sources.filter((file) => /satisfies AgentDefinition/.test(read(file)));
    expect(files.sort()).toEqual(definitions.map(({ name }) => `agents/${name}.ts`).sort());
  });

  test("names are unique, and so are the names that programs report", () => {
    const names = definitions.map(({ name }) => name);
    const reported = definitions.flatMap(({ acp }) => acp?.reportedName ?? []);
    expect([new Set(names).size, new Set(reported).size]).toEqual([names.length, reported.length]);
  });

  test("definitions import nothing but the base of the core and Node", () => {
    const imported = sources
      .filter((file) => file.startsWith("agents/"))
      .flatMap((file) => importsOf(file, { types: true }));
    expect(imported.filter((file) => !/^(?:agents|core\/base)\//.test(file))).toEqual([]);
  });
});

test.each([["index.ts"], ["cli/main.ts"], ["cli/commands/list/list.ts"]])(
  "%s loads without the definitions",
  (entry) => {
    const loaded = new Set([entry]);
    for (const file of loaded) for (const other of importsOf(file)) loaded.add(other);
    expect(loaded.size).toBeGreaterThan(5);
    expect([...loaded].filter((file) => file.startsWith("agents/"))).toEqual([]);
  },
);

describe("an agent is found", () => {
  test("by its name, if its definition has the part", () => {
    expect(agentWith("acp", "gemini", "{ command }").acp.args).toEqual(["--acp"]);
  });

  test.each([
    [
      "cluade",
      "Unknown agent 'cluade'. Known agents: claude, codex, gemini, opencode, pi, kiro, auggie. Pass any other agent as { x }.",
    ],
    [
      "cursor",
      "'cursor' has no known program that speaks ACP. Known agents: claude, codex, gemini, opencode, pi, kiro, auggie. Pass any other agent as { x }.",
    ],
    ["constructor", /^Unknown agent 'constructor'/],
  ])("and the error for %s lists those that have it", (name, message) => {
    expect(() => agentWith("acp", name, "{ x }")).toThrow(message);
    expect(() => agentWith("acp", name, "{ x }")).toThrow(expect.objectContaining({ code: "agent-not-found" }));
  });

  test("by the name that its program reports", () => {
    expect(acpProgramCalled("OpenCode")?.command).toBe("opencode");
    expect(acpProgramCalled("opencode")).toBeUndefined();
  });
});

test("a definition without a part is not listed for it", () => {
  expect(agentNamesWith("home")).toEqual(["claude", "codex", "gemini", "opencode", "pi"]);
  expect(agentNamesWith("mcp")).toEqual(["claude", "codex", "gemini", "opencode", "cursor", "vscode"]);
});

test("docs/agents.md has the table of all definitions", () => {
  const code = (text: string | undefined): string => (text === undefined ? "" : `\`${text}\``);
  const rows = definitions.map(({ name, acp, project, home, mcp }) => [
    code(name),
    code(acp && [acp.command, ...(acp.args ?? [])].join(" ")),
    code(acp?.packages.join(" ") || undefined),
    code(project?.skills),
    code(home?.skills),
    code(home?.own?.variable),
    mcp?.settingsFile.replace(/^\S+/, code) ?? "",
  ]);
  const [, section = ""] = readFileSync(PAGE, "utf8").split("\n## What each agent can do\n");
  const written = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("| `"));
  expect(written).toEqual(rows.map((cells) => `| ${cells.join(" | ")} |`));
});

test("docs/prompt.md lists the variables with which each agent in a home reaches its model", () => {
  const [, section = ""] = readFileSync(PROMPT_PAGE, "utf8").split("\n### Evaluate with an agent\n");
  const rows = (section.split("\n### ")[0] ?? "").split("\n").filter((line) => line.startsWith("| `"));
  const written = rows.map((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, word]) => word));
  for (const { name, home } of definitions)
    if (home !== undefined) expect(written).toContainEqual([name, ...(home.modelVariables ?? ["none"])]);
});

/** The files of the package that a file imports, relative to the sources; types cost nothing at run time. */
function importsOf(file: string, { types = false } = {}): readonly string[] {
  const statement = types ? IMPORT : IMPORT_OF_VALUES;
  return [...read(file).matchAll(statement)].map(([, path]) => join(dirname(file), path as string));
}

const IMPORT = /^(?:import|export)\b[^;"]*?"(\.[^"]+)";/gm;
const IMPORT_OF_VALUES = /^(?:import|export)\b(?! type\b)[^;"]*?"(\.[^"]+)";/gm;
