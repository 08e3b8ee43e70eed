import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as acp from "../../packages/skillset/src/acp/index.ts";
import * as adapter from "../../packages/skillset/src/adapter/index.ts";
import * as aiSdk from "../../packages/skillset/src/ai-sdk/index.ts";
import * as claude from "../../packages/skillset/src/claude/index.ts";
import * as compat from "../../packages/skillset/src/compat/index.ts";
import * as root from "../../packages/skillset/src/index.ts";
import * as mcp from "../../packages/skillset/src/mcp/index.ts";
import * as node from "../../packages/skillset/src/node/index.ts";
import * as openai from "../../packages/skillset/src/openai/index.ts";
import * as openaiAgents from "../../packages/skillset/src/openai-agents/index.ts";
import * as openTelemetry from "../../packages/skillset/src/opentelemetry/index.ts";
import * as prompt from "../../packages/skillset/src/prompt/index.ts";
import * as testing from "../../packages/skillset/src/testing/index.ts";

// What an entry point exports is a promise: a name that comes or goes must come or go here too.
test("the entry point 'skillset' exports exactly these values", () => {
  expect(Object.keys(root).sort()).toEqual([
    "LIMITS",
    "MemorySessionStore",
    "SkillError",
    "SkillValidationError",
    "createSkillset",
    "defineSkill",
    "defineTool",
    "estimateTokens",
    "isStored",
    "parseSkillMd",
    "standardFolders",
    "toSkillMd",
    "usageOf",
  ]);
});

test("the entry point 'skillset/node' exports exactly these values", () => {
  expect(Object.keys(node).sort()).toEqual([
    "BUNDLED_SKILLS",
    "DEFAULT_FOLDERS",
    "SkillInstallationError",
    "TrustStore",
    "createTemporaryHome",
    "installSkills",
    "optionalFolders",
  ]);
});

test("the entry point 'skillset/compat' exports exactly these values", () => {
  expect(Object.keys(compat).sort()).toEqual([
    "SkillContextProvider",
    "SkillManifestSchema",
    "skill",
    "toDiscoveredSkill",
    "toSkillMetadata",
    "toSkillRecord",
  ]);
});

test("the entry point 'skillset/prompt' exports exactly these values", () => {
  expect(Object.keys(prompt).sort()).toEqual([
    "AgentSkillsSection",
    "MarkdownSection",
    "Prompt",
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
    "defineTool",
    "openSections",
    "openSectionsTool",
  ]);
});

test("the entry point 'skillset/mcp' exports exactly these values", () => {
  expect(Object.keys(mcp).sort()).toEqual([
    "SkillsServer",
    "createSkillsServer",
    "importSkills",
    "serveHttp",
    "serveStdio",
  ]);
});

test("the entry point 'skillset/acp' exports exactly these values", () => {
  expect(Object.keys(acp).sort()).toEqual(["Agent", "ThinkBuilder", "ThinkSession", "ThinkStream", "connectAgent"]);
});

test("the entry point 'skillset/claude' exports exactly these values", () => {
  expect(Object.keys(claude).sort()).toEqual([
    "ClaudeAgentSDKAdapter",
    "ClaudeAgentWorkspaceSection",
    "IsolationConfig",
    "NetworkPolicy",
  ]);
});

test("the entry point 'skillset/testing' exports exactly these values", () => {
  expect(Object.keys(testing).sort()).toEqual([
    "adapterContract",
    "sourceContract",
    "startScriptedAgent",
    "startScriptedModel",
  ]);
});

test("the entry point 'skillset/ai-sdk' exports exactly these values", () => {
  expect(Object.keys(aiSdk).sort()).toEqual(["compactMessages", "endedEarly", "withSkills"]);
});

test("the entry point 'skillset/openai' exports exactly these values", () => {
  expect(Object.keys(openai).sort()).toEqual([
    "RunError",
    "compactChatMessages",
    "compactResponseInput",
    "runChat",
    "runResponses",
  ]);
});

test("the entry point 'skillset/openai-agents' exports exactly these values", () => {
  expect(Object.keys(openaiAgents).sort()).toEqual(["withAgentSkills"]);
});

test("the entry point 'skillset/adapter' exports exactly these values", () => {
  expect(Object.keys(adapter).sort()).toEqual([
    "RunError",
    "checkMaxSteps",
    "compactHistory",
    "compactRequest",
    "compactWith",
    "contentText",
    "createOperations",
    "loadPeer",
    "mapContent",
    "parseInvocation",
    "recordActivation",
    "replaceContent",
    "runModelLoop",
  ]);
});

test("our adapters for models import nothing of the library but what everybody can", () => {
  const root = new URL("../../packages/skillset/src/", import.meta.url);
  const files = ["ai-sdk", "openai", "openai-agents"].flatMap((folder) =>
    readdirSync(new URL(folder, root))
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .map((name) => `${folder}/${name}`),
  );
  expect(files.length).toBeGreaterThan(8);
  for (const file of files) {
    const imports = readFileSync(new URL(file, root), "utf8").matchAll(/from "(\.\.\/[^"]+)"/g);
    for (const [, path] of imports) expect(["../index.ts", "../adapter/index.ts"], file).toContain(path);
  }
});

test("the entry point 'skillset/opentelemetry' exports exactly these values", () => {
  expect(Object.keys(openTelemetry).sort()).toEqual(["openTelemetry"]);
});

test("nobody can change a limit", () => {
  expect([root.LIMITS, ...Object.values(root.LIMITS)].every(Object.isFrozen)).toBe(true);
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
