import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { createSkillset, type Session } from "../../packages/skillset/src/index.ts";
import {
  AgentSkillsSection,
  MarkdownSection,
  Prompt,
  PromptTemplate,
  type Section,
  SkillRef,
  SkillsSection,
} from "../../packages/skillset/src/prompt/index.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";

const UNREADABLE = [
  ...["123", "1.5", "true", "{ Read: true }", "[[Read]]", "[{ Read: true }]", "\n  Read: true", "[~]"],
  // Separators, and a space that only looks like one.
  ...['","', "' , '", '"\\u00a0"', "[',']", "['']"],
];
const EMPTY = ["", " ~", ' ""', " []"];

const folderOf = (value: string): string =>
  temporaryFolder({ "a/SKILL.md": skillMd("a", undefined, undefined, `allowed-tools: ${value}\n`) });

const sessionOver = async (folders: readonly string[]): Promise<Session> =>
  (await createSkillset(folders, { allowedTools: "enforce", onProblem: () => {} })).session();
const referenced = (folder: string) => new SkillsSection({ skills: [new SkillRef({ path: join(folder, "a") })] });
const listed = (folder: string) => new AgentSkillsSection({ skillsDir: folder, mode: "tools" });

/** The ways to load a skill. Each returns a session in which it is active. */
const SURFACES: Readonly<Record<string, (folder: string) => Promise<Session>>> = {
  "a skillset": async (folder) => {
    const session = await sessionOver([folder]);
    await session.activate("a");
    return session;
  },
  "a SkillRef": (folder) => loadedBy(referenced(folder), [folder]),
  "a SkillRef that the session's set lacks": (folder) => loadedBy(referenced(folder), []),
  "a section": (folder) => loadedBy(listed(folder), [folder]),
  "a section whose skills the session's set lacks": (folder) => loadedBy(listed(folder), []),
};

/** A model loads the skill from a prompt, with the tools that it is offered. */
async function loadedBy(section: Section, set: readonly string[]): Promise<Session> {
  const session = await sessionOver(set);
  await load(section, session);
  return session;
}

async function load(section: Section, session: Session): Promise<void> {
  const prompt = new Prompt(new PromptTemplate({ ns: "a", key: "b", sections: [section] }));
  const run = prompt.start({ session, mode: "tools", onWarning: () => {} });
  for (const [tool, input] of CALLS) if (run.tools.some(({ name }) => name === tool)) await run.call(tool, input);
  await expect.poll(() => session.active).toEqual(["a"]);
}

const CALLS = [
  ["activate_skill", { name: "a" }],
  ["activate_skill", { skill: "a" }],
  ["open_sections", { section_keys: ["skills.a"], reason: "Needed" }],
] as const;

describe.each(Object.entries(SURFACES))("`enforce` with %s", (_name, open) => {
  test.each(UNREADABLE)("denies every call for 'allowed-tools: %s'", async (value) => {
    const session = await open(folderOf(value));
    expect(session.active).toEqual(["a"]);
    for (const tool of ["Bash", "Read"])
      expect(session.checkTool(tool, { command: "ls", path: "x" })).toMatchObject({ allowed: false, skill: "a" });
  });

  test.each(EMPTY)("denies nothing for 'allowed-tools:%s'", async (value) => {
    const session = await open(folderOf(value));
    expect(session.active).toEqual(["a"]);
    expect(session.checkTool("Bash", { command: "ls" }).allowed).toBe(true);
  });
});

test("a `disallowed-tools` that is no text denies every call", async () => {
  const folder = temporaryFolder({
    "a/SKILL.md": skillMd("a", undefined, undefined, "disallowed-tools: { Bash: true }\n"),
  });
  const session = await (await createSkillset([folder], { allowedTools: "enforce", onProblem: () => {} })).session();
  await session.activate("a");
  expect(session.checkTool("Bash", { command: "ls" }).allowed).toBe(false);
});

describe.each([
  ["a SkillRef", referenced],
  ["a section", listed],
])("`enforce` with the readable `allowed-tools` of %s", (_name, sectionOf) => {
  test.each([
    ["lacks the skill", () => []],
    ["has another skill with its name", () => [folderOf('""')]],
    ["has the skill", (folder: string) => [folder]],
  ])("denies the tools that it leaves out if the session's set %s", async (_set, setFor) => {
    const folder = folderOf("Read");
    const session = await loadedBy(sectionOf(folder), setFor(folder));
    expect(session.checkTool("Bash", { command: "ls" })).toMatchObject({ allowed: false, skill: "a" });
    expect(session.checkTool("Read", { path: "x" }).allowed).toBe(true);
  });

  test("denies a tool of another section, and still does after the set is loaded again", async () => {
    const session = await sessionOver([]);
    const handler = vi.fn(() => "sent");
    const mail = new MarkdownSection({
      title: "Mail",
      key: "mail",
      template: "Send it.",
      tools: [{ name: "send", description: "Sends.", handler }],
    });
    await load(sectionOf(folderOf("Read")), session);
    const prompt = new Prompt(new PromptTemplate({ ns: "a", key: "b", sections: [mail] }));
    const call = () => prompt.start({ session, onWarning: () => {} }).call("send", {});
    expect(await call()).toMatchObject({ isError: true, code: "tool-denied" });
    await session.use(await createSkillset([], { allowedTools: "enforce" }));
    expect(await call()).toMatchObject({ isError: true, code: "tool-denied" });
    expect(handler).not.toHaveBeenCalled();
  });

  test("denies nothing more once the skill is deactivated", async () => {
    const session = await loadedBy(sectionOf(folderOf("Read")), []);
    await session.deactivate("a");
    expect(session.checkTool("Bash", { command: "ls" }).allowed).toBe(true);
  });

  test("follows the set once the set has the skill and is loaded again with other tools", async () => {
    const folder = folderOf("Read");
    const session = await loadedBy(sectionOf(folder), [folder]);
    await session.use(await createSkillset([folderOf("Bash")], { allowedTools: "enforce" }));
    expect(session.checkTool("Bash", { command: "ls" }).allowed).toBe(true);
  });
});
