import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSkillset, type Session } from "../../packages/skillset/src/index.ts";
import {
  AgentSkillsSection,
  Prompt,
  PromptTemplate,
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

/** The ways to load a skill. Each returns a session in which it is active. */
const SURFACES: Readonly<Record<string, (folder: string) => Promise<Session>>> = {
  "a skillset": async (folder) => {
    const session = await (await createSkillset([folder], { allowedTools: "enforce", onProblem: () => {} })).session();
    await session.activate("a");
    return session;
  },
  "a SkillRef": (folder) =>
    loadedBy(folder, new SkillsSection({ skills: [new SkillRef({ path: join(folder, "a") })] })),
  "a section": (folder) => loadedBy(folder, new AgentSkillsSection({ skillsDir: folder, mode: "tools" })),
};

/** A model loads the skill from a prompt, with the tools that it is offered. */
async function loadedBy(folder: string, section: SkillsSection | AgentSkillsSection): Promise<Session> {
  const session = await (await createSkillset([folder], { allowedTools: "enforce", onProblem: () => {} })).session();
  const prompt = new Prompt(new PromptTemplate({ ns: "a", key: "b", sections: [section] }));
  const run = prompt.start({ session, mode: "tools", onWarning: () => {} });
  for (const [tool, input] of CALLS) if (run.tools.some(({ name }) => name === tool)) await run.call(tool, input);
  return session;
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
