import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import type * as adapter from "../../packages/skillset/src/adapter/index.ts";
import type * as compat from "../../packages/skillset/src/compat/index.ts";
import * as root from "../../packages/skillset/src/index.ts";
import type * as prompt from "../../packages/skillset/src/prompt/index.ts";
import { MODEL_ADAPTERS, OUR_ENTRY_POINTS } from "./entry-points.ts";

// An entry point's exports are a promise: a name that is added or removed must change here too.
const SURFACE: Readonly<Record<string, readonly string[]>> = {
  skillset: [
    "LIMITS",
    "MemorySessionStore",
    "SkillError",
    "SkillValidationError",
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
  ],
  "skillset/node": [
    "BUNDLED_SKILLS",
    "SkillInstallationError",
    "TrustStore",
    "applyFix",
    "createTemporaryHome",
    "installSkills",
    "optionalFolders",
    "planFixes",
    "withFileLock",
  ],
  "skillset/compat": [
    "SkillContextProvider",
    "SkillManifestSchema",
    "skill",
    "toDiscoveredSkill",
    "toSkillMetadata",
    "toSkillRecord",
  ],
  "skillset/prompt": [
    "AgentSkillsSection",
    "MarkdownSection",
    "Prompt",
    "PromptOverrideStore",
    "PromptTemplate",
    "PromptValidationError",
    "Section",
    "SkillActivated",
    "SkillExpanded",
    "SkillRef",
    "SkillRefError",
    "SkillSection",
    "SkillsInstalled",
    "SkillsSection",
    "VisibilityExpansionRequired",
    "WorkspaceSection",
    "defineTool",
    "openSections",
    "openSectionsTool",
    "readSection",
    "readSectionTool",
  ],
  "skillset/scripts": [
    "RUNNER_NAMES",
    "bubblewrap",
    "container",
    "createScriptRunner",
    "describeSandbox",
    "endWithHost",
    "environmentSecrets",
    "fillArguments",
    "makeTemporaryFolder",
    "outputsOf",
    "refuseFailures",
    "remote",
    "removeOwnedFolder",
    "runProcess",
    "sandboxRuntime",
    "scriptEnvironment",
    "scriptLanguage",
    "subprocess",
  ],
  "@skillset/sandbox": ["embedded"],
  "@skillset/unplugin": ["skillset", "turbopackRules"],
  "@skillset/unplugin/loader": ["default"],
  "skillset/mcp": [
    "SkillsServer",
    "connectHttp",
    "createSkillsServer",
    "importSkills",
    "requireOAuth",
    "serveHttp",
    "serveStdio",
    "toNodeHandler",
  ],
  "skillset/acp": ["Agent", "ThinkBuilder", "ThinkSession", "ThinkStream", "connectAgent", "evaluatePrompt"],
  "skillset/claude": [
    "ClaudeAgentSDKAdapter",
    "ClaudeAgentWorkspaceSection",
    "IsolationConfig",
    "NetworkPolicy",
    "evaluatePrompt",
  ],
  "@skillset/testing": [
    "adapterContract",
    "evaluatorContract",
    "scriptRunnerContract",
    "sourceContract",
    "startScriptedAgent",
    "startScriptedModel",
  ],
  "skillset/ai-sdk": ["compactMessages", "createChat", "endedEarly", "evaluatePrompt", "withSkills", "withoutSkills"],
  "skillset/openai": [
    "RunError",
    "compactChatMessages",
    "compactResponseInput",
    "evaluatePrompt",
    "runChat",
    "runResponses",
  ],
  "skillset/openai-agents": ["withSkills"],
  "skillset/anthropic": ["RunError", "compactMessages", "evaluatePrompt", "runMessages"],
  "skillset/adapter": [
    "ADAPTER_OPTIONS",
    "RUN_OPTIONS",
    "RunError",
    "checkCall",
    "checkMaxSteps",
    "checkOptions",
    "compactHistory",
    "compactRequest",
    "compactWith",
    "conductPrompt",
    "conductRuns",
    "contentText",
    "createOperations",
    "describeValue",
    "estimateFileTokens",
    "fileName",
    "fileText",
    "goneText",
    "isDocumentType",
    "isImageType",
    "isOperationResult",
    "loadPeer",
    "mapContent",
    "mayRestrict",
    "nearestNames",
    "openNativeTurn",
    "parseInvocations",
    "readResultFile",
    "recordActivation",
    "replaceContent",
    "requireFeatures",
    "requireTool",
    "runModelLoop",
    "sessionOf",
    "toBase64",
    "toDataUrl",
    "toModelTools",
    "toResultFile",
  ],
  "skillset/opentelemetry": ["openTelemetry"],
};

test.each(OUR_ENTRY_POINTS)(
  "$specifier exports exactly the values that are listed here",
  async ({ specifier, module }) => {
    const values = (await import(resolve(module))) as object;
    expect(SURFACE, "an entry point of package.json that is not listed here").toHaveProperty([specifier]);
    expect(Object.keys(values).sort()).toEqual(SURFACE[specifier]);
  },
);

test("package.json has every entry point that is listed here", () => {
  expect(OUR_ENTRY_POINTS.map(({ specifier }) => specifier).sort()).toEqual(Object.keys(SURFACE).sort());
});

// Types are part of the public API, just like functions.
const ROOT_TYPES = [
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
  "LedgerEntry",
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
  "SkillErrorCode",
  "SkillFile",
  "SkillInput",
  "SkillPreview",
  "SkillSnapshot",
  "SkillSource",
  "SkillTool",
  "SkillToolContext",
  "SkillUsage",
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
];

test("the entry point 'skillset' exports exactly the types that are listed here", () => {
  const [root] = OUR_ENTRY_POINTS.filter(({ specifier }) => specifier === "skillset");
  const values = SURFACE["skillset"] ?? [];
  expect(namesOf(root?.module ?? "").toSorted()).toEqual([...values, ...ROOT_TYPES].sort());
});

test("each name is exported from one entry point", () => {
  const places = new Map<string, string[]>();
  for (const { specifier, module } of OUR_ENTRY_POINTS)
    for (const name of namesOf(module)) places.set(name, [...(places.get(name) ?? []), specifier]);
  const repeated = [...places].filter(([, found]) => found.length > 1);
  // Programs that call `runChat` need these types as well as adapter authors; prompts are written with tools.
  // `withSkills` is the verb of every adapter whose SDK runs the tools, `evaluatePrompt` that for prompts, and
  // `compactMessages` shortens an adapter's messages.
  expect(repeated.map(([name, found]) => `${name}: ${found.join(", ")}`).toSorted()).toEqual([
    "PromptResponse: skillset/prompt, skillset/claude",
    "RunError: skillset/openai, skillset/anthropic, skillset/adapter",
    "RunFinish: skillset/openai, skillset/anthropic, skillset/adapter",
    "RunOptions: skillset/openai, skillset/anthropic, skillset/adapter",
    "Tool: skillset, skillset/prompt",
    "ToolContext: skillset, skillset/prompt",
    "compactMessages: skillset/ai-sdk, skillset/anthropic",
    "defineTool: skillset, skillset/prompt",
    "evaluatePrompt: skillset/acp, skillset/claude, skillset/ai-sdk, skillset/openai, skillset/anthropic",
    "withSkills: skillset/ai-sdk, skillset/openai-agents",
  ]);
});

function namesOf(module: string): readonly string[] {
  const exported = readFileSync(module, "utf8").matchAll(/^export (?:type )?\{([^}]*)\}/gm);
  return [...exported]
    .flatMap(([, list = ""]) => list.split(","))
    .map((name) => (name.trim().split(" as ").at(-1) ?? "").replace(/^type /, ""))
    .filter((name) => name !== "");
}

const PUBLIC = ["../index.ts", "../adapter/index.ts", "../prompt/index.ts"];

test("our model adapters import only public modules of the library", () => {
  const root = new URL("../../packages/skillset/src/", import.meta.url);
  const files = MODEL_ADAPTERS.flatMap((folder) =>
    readdirSync(new URL(folder, root))
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .map((name) => `${folder}/${name}`),
  );
  expect(files.length).toBeGreaterThan(8);
  for (const file of files) {
    const imports = readFileSync(new URL(file, root), "utf8").matchAll(/from "(\.\.\/[^"]+)"/g);
    for (const [, path] of imports) expect(PUBLIC, file).toContain(path);
  }
});

test("the types of the documents are exported", () => {
  const types: [
    root.Skill?,
    root.VirtualSkill?,
    root.StoredSkill?,
    root.SkillTool?,
    root.Tool?,
    adapter.ModelTool?,
    prompt.SkillMetadata?,
    compat.SkillRecord?,
    compat.DiscoveredSkill?,
  ] = [];
  expect(types).toEqual([]);
});

test("limits cannot be changed", () => {
  expect([root.LIMITS, ...Object.values(root.LIMITS)].every(Object.isFrozen)).toBe(true);
});
