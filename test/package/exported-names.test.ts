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
    "ReadSnapshotFile",
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
    "SkillSnapshot",
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
    "restoreSkill",
    "snapshotSkill",
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
  // `withSkills` is the verb of every adapter whose SDK runs the tools, `evaluatePrompt` that for prompts, and
  // `compactMessages` shortens an adapter's messages.
  expect(repeated.map(([name, found]) => `${name}: ${found.join(", ")}`).toSorted()).toEqual([
    "PromptResponse: ./prompt, ./claude",
    "RunError: ./openai, ./anthropic, ./adapter",
    "RunFinish: ./openai, ./anthropic, ./adapter",
    "RunOptions: ./openai, ./anthropic, ./adapter",
    "Tool: ., ./prompt",
    "ToolContext: ., ./prompt",
    "compactMessages: ./ai-sdk, ./anthropic",
    "defineTool: ., ./prompt",
    "evaluatePrompt: ./acp, ./ai-sdk, ./openai, ./anthropic",
    "withSkills: ./ai-sdk, ./openai-agents",
  ]);
});
