import { tmpdir } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { startScriptedAgent } from "../../../testing/src/index.ts";
import { connectAgent, evaluatePrompt } from "../acp/index.ts";
import { ClaudeAgentSDKAdapter, IsolationConfig, NetworkPolicy } from "../claude/index.ts";
import { createSkillset, defineSkill, defineTool, parseSkillMd, snapshotSkill } from "../index.ts";
import { createSkillsServer, serveHttp } from "../mcp/index.ts";
import { createTemporaryHome, installSkills, TrustStore } from "../node/index.ts";
import {
  AgentSkillsSection,
  MarkdownSection,
  openSections,
  openSectionsTool,
  Prompt,
  PromptOverrideStore,
  PromptTemplate,
  readSection,
  SkillRef,
  SkillsSection,
  WorkspaceSection,
} from "../prompt/index.ts";

const tea = defineSkill({ name: "tea", description: "Makes tea.", body: "Steep it." });
const skillset = await createSkillset([tea]);
const session = await skillset.session();
const folder = () => temporaryFolder({ "tea/SKILL.md": skillMd("tea") });
const task = { title: "Task", key: "task", template: "Go." };
const prompt = new Prompt(new PromptTemplate({ ns: "n", key: "k", sections: [] }));
const trust = new TrustStore("/none/trust.json");
// JavaScript callers pass anything.
type Loose = (...given: unknown[]) => unknown;
const loose = (call: unknown) => call as Loose;
const call = (object: object, method: string): Loose => loose((object as Record<string, Loose>)[method]?.bind(object));
const listed = () => new AgentSkillsSection({ skillsDir: folder() });
const mounting = (...mounts: readonly unknown[]) => {
  using workspace = new WorkspaceSection({ mounts: mounts as never, allowedHostRoots: [tmpdir()] });
  return workspace;
};
const workspace = () => {
  const made = new WorkspaceSection({ mounts: [], allowedHostRoots: [] });
  onTestFinished(() => made.cleanup());
  return made;
};
const make = (type: unknown, options: object) => new (type as new (options: object) => unknown)(options);

test.each<[string, () => unknown]>([
  ["createSkillset() has no option 'enable'. Did you mean 'enabled'?", () => loose(createSkillset)([], { enable: [] })],
  [
    "The option 'catalog' of createSkillset() has no option 'budgte'.",
    () => loose(createSkillset)([], { catalog: { budgte: 1 } }),
  ],
  ["session() has no option 'stor'.", () => loose(skillset.session.bind(skillset))({ stor: 1 })],
  [
    "The option 'limits' of session() has no option 'fileByte'.",
    () => loose(skillset.session.bind(skillset))({ limits: { fileByte: 1 } }),
  ],
  [
    "The option 'store' of session() needs the methods 'load' and 'save'; 'load' is missing.",
    () => loose(skillset.session.bind(skillset))({ store: {} }),
  ],
  [
    "catalog() has no option 'budgte'. Did you mean 'budget'?",
    () => loose(skillset.catalog.bind(skillset))({ budgte: 1 }),
  ],
  [
    "rank() has no option 'limits'. Did you mean 'limit'?",
    () => loose(skillset.rank.bind(skillset))("tea", { limits: 1 }),
  ],
  ["preview() has no option 'lock'.", () => loose(skillset.preview.bind(skillset))("tea", { lock: 1 })],
  [
    "scripts.run() takes an object with options, not the number 5.",
    () => loose(session.scripts.run.bind(session.scripts))("tea", "a.py", 5),
  ],
  [
    "scripts.run() has no option 'tiemout'.",
    () => loose(session.scripts.run.bind(session.scripts))("tea", "a.py", { tiemout: 1 }),
  ],
  ["activate() has no option 'args'.", () => loose(session.activate.bind(session))("tea", { args: 1 })],
  [
    "files().read() takes an object with options, not null.",
    () => {
      const files = session.files("tea");
      return loose(files.read.bind(files))("a.md", null);
    },
  ],
  [
    "turn() has no option 'sugest'. Did you mean 'suggest'?",
    () => loose(session.turn.bind(session))([], { sugest: true }),
  ],
  [
    "The option 'operations' of turn() has no option 'alias'. Did you mean 'aliases'?",
    () => loose(session.turn.bind(session))([], { operations: { alias: {} } }),
  ],
  ["parseSkillMd() has no option 'polisy'.", () => loose(parseSkillMd)("", { polisy: "strict" })],
  ["createTemporaryHome() has no option 'skils'.", () => loose(createTemporaryHome)({ agent: "claude", skils: [] })],
  ["installSkills() has no option 'replac'.", () => loose(installSkills)("x", [], { replac: true })],
  [
    "connectAgent() has no option 'permission'. Did you mean 'permissions'?",
    () => loose(connectAgent)({ command: "x" }, { permission: {} }),
  ],
  [
    "evaluatePrompt() has no option 'permission'. Did you mean 'permissions'?",
    () => loose(evaluatePrompt)({ agent: "claude", prompt, permission: {} }),
  ],
  ["evaluatePrompt() has no option 'inheritEnv'.", () => loose(evaluatePrompt)({ agent: "claude", inheritEnv: true })],
  [
    "'clientConfig' has no option 'allowedTool'. Did you mean 'allowedTools'?",
    () => make(ClaudeAgentSDKAdapter, { clientConfig: { allowedTool: ["Read"] } }),
  ],
  [
    "'sandbox' has no option 'denyReed'. Did you mean 'denyRead'?",
    () => make(IsolationConfig, { sandbox: { denyReed: ["/home"] } }),
  ],
  [
    "new NetworkPolicy() has no option 'allowDomains'. Did you mean 'allowedDomains'?",
    () => make(NetworkPolicy, { allowDomains: ["example.com"] }),
  ],
  [
    "createSkillsServer() has no option 'allowScript'.",
    () => loose(createSkillsServer)(skillset, { allowScript: true }),
  ],
  [
    "The first argument of createSkillsServer() must be a skillset, not a session.",
    () => loose(createSkillsServer)(session),
  ],
  ["serveHttp() has no option 'tokn'.", () => loose(serveHttp)(createSkillsServer(skillset), { tokn: "x" })],
  [
    "new AgentSkillsSection() has no option 'allowed'. Did you mean 'allowedSkills'?",
    () => make(AgentSkillsSection, { skillsDir: folder(), allowed: ["x"] }),
  ],
  [
    "clone() has no option 'skills'.",
    () => {
      const section = new AgentSkillsSection({ skillsDir: folder() });
      return loose(section.clone.bind(section))({ skills: [] });
    },
  ],
  [
    "The option 'catalog' of new AgentSkillsSection() has no option 'bugdet'. Did you mean 'budget'?",
    () => make(AgentSkillsSection, { skillsDir: folder(), catalog: { bugdet: { tokens: 1 } } }),
  ],
  ["skillAt() has no option 'cdw'. Did you mean 'cwd'?", () => call(listed(), "skillAt")("a.md", { cdw: "/" })],
  ["recordRead() has no option 'cdw'. Did you mean 'cwd'?", () => call(listed(), "recordRead")("a.md", { cdw: "/" })],
  [
    "A mount of new WorkspaceSection() has no option 'readonly'. Did you mean 'readOnly'?",
    () => mounting({ hostPath: folder(), readonly: true }),
  ],
  ["A mount of new WorkspaceSection() takes an object with options, not null.", () => mounting(undefined)],
  [
    "open() has no option 'onprogress'. Did you mean 'onProgress'?",
    () => call(workspace(), "open")({ onprogress: () => {} }),
  ],
  ["mountSkills() has no option 'cdw'. Did you mean 'cwd'?", () => call(workspace(), "mountSkills")([], { cdw: "/" })],
  [
    "installSkills() has no option 'parms'. Did you mean 'params'?",
    () => call(new SkillsSection(), "installSkills")({ skillsDir: folder(), parms: {} }),
  ],
  [
    "installSkills() requires 'skillsDir', the path of a folder; got undefined.",
    () => call(new SkillsSection(), "installSkills")(),
  ],
  [
    "set() has no option 'tags'. Did you mean 'tag'?",
    () => call(new PromptOverrideStore(), "set")(prompt.template, "k", "x", { tags: "a" }),
  ],
  [
    "delete() has no option 'tags'. Did you mean 'tag'?",
    () => call(new PromptOverrideStore(), "delete")(prompt.template, "k", { tags: "a" }),
  ],
  [
    "load() has no option 'onstale'. Did you mean 'onStale'?",
    () => call(new PromptOverrideStore(), "load")(prompt.template, { onstale: () => {} }),
  ],
  ["new MarkdownSection() has no option 'templat'.", () => make(MarkdownSection, { ...task, templat: "x" })],
  ["new SkillsSection() has no option 'refs'.", () => make(SkillsSection, { refs: [] })],
  [
    "new SkillRef() has no option 'base'. Did you mean 'basePath'?",
    () => make(SkillRef, { path: folder(), base: "x" }),
  ],
  ["new PromptTemplate() has no option 'section'.", () => make(PromptTemplate, { ns: "n", key: "k", section: [] })],
  ["render() has no option 'opened'. Did you mean 'open'?", () => loose(prompt.render.bind(prompt))({ opened: [] })],
  [
    "installAllSkills() has no option 'enabled'. Did you mean 'enabledSkills'?",
    () => loose(prompt.installAllSkills.bind(prompt))({ skillsDir: "x", enabled: ["tea"] }),
  ],
  [
    'installAllSkills() takes an object with options, not the text "skills".',
    () => loose(prompt.installAllSkills.bind(prompt))("skills"),
  ],
  [
    "installAllSkills() requires 'skillsDir', the path of a folder; got undefined.",
    () => loose(prompt.installAllSkills.bind(prompt))(),
  ],
  ["The skills of installSkills() must be an array, not null.", () => loose(installSkills)("x", null)],
  [
    "A skill of installSkills() has no option 'contents'. Did you mean 'content'?",
    () => loose(installSkills)("x", [{ name: "tea", source: "inline", contents: "Steep." }]),
  ],
  [
    "A skill of installSkills() requires 'content', 'folder' or 'file'.",
    () => loose(installSkills)("x", [{ name: "tea", source: "inline" }]),
  ],
  ["A skill of installSkills() takes an object with options, not null.", () => loose(installSkills)("x", [null])],
  ["The folder of installSkills() must be a path, not undefined.", () => loose(installSkills)(undefined, [])],
  [
    "openSections() has no option 'rerendr'. Did you mean 'rerender'?",
    () => loose(openSections)(prompt.render(), {}, { rerendr: true }),
  ],
  ["openSections() takes an object with options, not null.", () => loose(openSections)(prompt.render(), {}, null)],
  [
    "The first argument of openSections() must be a rendered prompt, not a Prompt. Pass the result of prompt.render().",
    () => loose(openSections)(prompt, {}),
  ],
  ["The first argument of openSectionsTool() must be a rendered prompt", () => loose(openSectionsTool)(prompt)],
  ["The first argument of readSection() must be a rendered prompt", () => loose(readSection)(prompt, {})],
  ["new TrustStore() takes the path of a file, not an object.", () => make(TrustStore, { path: "x" })],
  ['trust() takes an array of folders, not the text "tea".', () => loose(trust.trust.bind(trust))("tea")],
  ["revoke() takes one folder, not an array.", () => loose(trust.revoke.bind(trust))(["tea"])],
  [
    "startScriptedAgent() has no option 'asksPermissions'. Did you mean 'asksPermission'?",
    () => loose(startScriptedAgent)([], { asksPermissions: false }),
  ],
  ["startScriptedAgent() takes an object with options, not null.", () => loose(startScriptedAgent)([], null)],
  ["A script is an array of steps, not an object.", () => loose(startScriptedAgent)({ say: "Hi." })],
  [
    "snapshotSkill() takes a skill, such as one of skillset.skills, not a skillset.",
    () => loose(snapshotSkill)(skillset),
  ],
  ["snapshotSkill() has no option 'signals'. Did you mean 'signal'?", () => loose(snapshotSkill)(tea, { signals: 1 })],
  [
    "defineSkill() has no field 'instructions'. Use 'body'.",
    () => loose(defineSkill)({ name: "tea", description: "Tea.", instructions: "Steep." }),
  ],
  [
    "Tool 'vat' has 'parameters': rename it to 'inputSchema'.",
    () => loose(defineTool)({ name: "vat", description: "Adds.", parameters: {}, handler: () => 1 }),
  ],
  [
    "Tool 'vat' has 'inputschema': rename it to 'inputSchema'.",
    () => loose(defineTool)({ name: "vat", description: "Adds.", inputschema: {}, handler: () => 1 }),
  ],
  [
    "Tool 'vat' of skill 'tax' has 'input_schema': rename it to 'inputSchema'.",
    () =>
      defineSkill({
        name: "tax",
        description: "Tax.",
        body: "x",
        tools: [{ name: "vat", description: "Adds.", input_schema: {}, handler: () => 1 }] as never,
      }),
  ],
  [
    "requires a handler function: rename 'execute' to 'handler'.",
    () =>
      defineSkill({
        name: "tax",
        description: "Tax.",
        body: "x",
        tools: [{ name: "vat", description: "Adds.", execute: () => 1 }] as never,
      }),
  ],
  [
    "A source must be a path, a skill, a skillset or a SkillSource, not a promise: add 'await'.",
    () => loose(createSkillset)(createSkillset([])),
  ],
  ["not null.", () => loose(createSkillset)([null])],
])("%s", async (message, call) => {
  const error: unknown = await Promise.resolve()
    .then(call)
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  expect(error).toMatchObject({ code: "option-invalid", message: expect.stringContaining(message) });
});

test("an invalid skill in code is refused with all of its problems", () => {
  expect(() => defineSkill({ name: "My Skill", description: "", body: "x" })).toThrow(
    /^Invalid skill 'My Skill': .*lowercase.*description/i,
  );
});
