import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import manifest from "../../packages/skillset/package.json" with { type: "json" };

// Types are part of the public API, just like functions.
const ENTRY_POINTS = Object.keys(manifest.exports).filter((path) => !path.endsWith(".json"));

function namesOf(entryPoint: string): readonly string[] {
  const file = new URL(`../../packages/skillset/src/${entryPoint}/index.ts`, import.meta.url);
  const exported = readFileSync(file, "utf8").matchAll(/^export (?:type )?\{([^}]*)\}/gm);
  return [...exported]
    .flatMap(([, list = ""]) => list.split(","))
    .map((name) => (name.trim().split(" as ").at(-1) ?? "").replace(/^type /, ""))
    .filter((name) => name !== "")
    .toSorted();
}

test("the entry point 'skillset' has exactly these names, types included", () => {
  expect(namesOf(".")).toEqual([
    "Activation",
    "AnySchema",
    "Catalog",
    "CatalogOptions",
    "CreateSkillsetOptions",
    "EmbedFunction",
    "EmbeddingCache",
    "EmbeddingOptions",
    "FilterOptions",
    "JsonSchema",
    "LIMITS",
    "LedgerEntry",
    "MemorySessionStore",
    "Problem",
    "ProblemCode",
    "RankedSkill",
    "ReloadResult",
    "Session",
    "SessionOptions",
    "SessionState",
    "SessionStore",
    "Skill",
    "SkillEntry",
    "SkillError",
    "SkillErrorCode",
    "SkillFile",
    "SkillInput",
    "SkillPreview",
    "SkillSource",
    "SkillTool",
    "SkillToolContext",
    "SkillUsage",
    "SkillValidationError",
    "Skillset",
    "SkillsetWatcher",
    "SourceEntry",
    "SourceFile",
    "StoredSkill",
    "TokenCounter",
    "Tool",
    "ToolContext",
    "ToolDecision",
    "Toolset",
    "Turn",
    "UnmetRequirement",
    "VirtualSkill",
    "createSkillset",
    "defineSkill",
    "defineTool",
    "defineToolset",
    "estimateTokens",
    "isStored",
    "parseSkillMd",
    "standardFolders",
    "toSkillMd",
    "usageOf",
  ]);
});

test("each name is exported from one entry point", () => {
  const places = new Map<string, string[]>();
  for (const entryPoint of ENTRY_POINTS)
    for (const name of namesOf(entryPoint)) places.set(name, [...(places.get(name) ?? []), entryPoint]);
  const repeated = [...places].filter(([, found]) => found.length > 1);
  // Programs that call `runChat` need these types as well as adapter authors; prompts are written with tools.
  expect(repeated.map(([name, found]) => `${name}: ${found.join(", ")}`).toSorted()).toEqual([
    "HostedTool: ./openai, ./adapter",
    "RunError: ./openai, ./adapter",
    "RunFinish: ./openai, ./adapter",
    "RunOptions: ./openai, ./adapter",
    "Tool: ., ./prompt",
    "ToolContext: ., ./prompt",
    "defineTool: ., ./prompt",
  ]);
});
