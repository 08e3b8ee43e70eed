import { describe, expect, test } from "vitest";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { defineSkill } from "../skill/define-skill.ts";
import { readState } from "./check-state.ts";
import { EMPTY_STATE, type SessionState } from "./state.ts";

/** As the last release with version 2 stored them: a conversation in its third turn, and one that only had a catalog. */
const LONG = {
  version: 2,
  active: [
    { name: "bank", digest: "sha256:5a9e9aa7bb88b6a5b147ef081a9871f7cb4197bd229a5661c1812070bb8dc2ec", by: "model" },
    {
      name: "tea",
      digest: "sha256:e9f3d8a1febc30fbd5d6bf7f2b58bcca3144477f2a07f4ae96a1826db79dd190",
      by: "user",
      arguments: "now",
    },
  ],
  spent: 41,
  catalog: {
    text: "<available_skills>\n  <skill>\n    <name>bank</name>\n    <description>Does bank.</description>\n  </skill>\n  <skill>\n    <name>tea</name>\n    <description>Does tea.</description>\n  </skill>\n</available_skills>",
    tokens: 61,
    skills: { bank: "7ccc1540936df270", tea: "afbf6fe9122d6990" },
    shortened: [],
    nameOnly: [],
    omitted: [],
    hasTools: false,
  },
  notices: [
    {
      message: "7b2b0d47af3b9208",
      position: 0,
      given: [
        {
          name: "bank",
          digest: "sha256:5a9e9aa7bb88b6a5b147ef081a9871f7cb4197bd229a5661c1812070bb8dc2ec",
          changed: false,
        },
      ],
      text: "<skill_notice>\nActive skills (activated_skill_names): bank, tea.\n</skill_notice>",
      active: ["bank", "tea"],
      invoked: [
        {
          name: "tea",
          digest: "sha256:e9f3d8a1febc30fbd5d6bf7f2b58bcca3144477f2a07f4ae96a1826db79dd190",
          changed: false,
        },
      ],
    },
    {
      message: "ecda38499ca3b3a0",
      after: "7b2b0d47af3b9208",
      position: 1,
      text: "<skill_notice>\nThese skills are new:\n<available_skills>\n  <skill>\n    <name>new</name>\n    <description>Does new.</description>\n  </skill>\n</available_skills>\n\nThe instructions of these skills have changed: bank. Activate them again before you use them.\n</skill_notice>",
      added: { "new": "4f4736ef39143e40" },
      changed: [{ name: "bank", digest: "sha256:06585fbaa6fbe9a873d6b5929855a94982efb39a1ac5de21e6824cd7f8d6c523" }],
    },
  ],
};
const SHORT = {
  version: 2,
  active: [],
  catalog: {
    text: "<available_skills>\n  <skill>\n    <name>bank</name>\n    <description>Does bank.</description>\n  </skill>\n  <skill>\n    <name>tea</name>\n    <description>Does tea.</description>\n  </skill>\n</available_skills>",
    tokens: 61,
    skills: { bank: "7ccc1540936df270", tea: "afbf6fe9122d6990" },
    shortened: [],
    nameOnly: [],
    omitted: [],
    hasTools: false,
  },
};

const skill = (name: string, body = `Do ${name} with $ARGUMENTS.`) =>
  defineSkill({ name, description: `Does ${name}.`, body });

describe("a state of version 2", () => {
  test("becomes version 3, with the same content", () => {
    expect(readState(LONG)).toEqual({ ...LONG, version: 3 });
    expect(readState(SHORT)).toEqual({ ...EMPTY_STATE, catalog: SHORT.catalog });
  });

  test("is continued, and stored as version 3", async () => {
    const saved: SessionState[] = [];
    const store = {
      load: async () => LONG as never,
      save: async (_: string, state: SessionState) => void saved.push(state),
    };
    const skillset = await createSkillset([skill("bank", "Do it anew."), skill("tea"), skill("new")]);
    const session = await skillset.session({ id: "1", store });
    expect(session.active).toEqual(["bank", "tea"]);
    const { instructions, messages } = await session.turn([
      { role: "user", text: "/tea now" },
      { role: "assistant", text: "Yes." },
      { role: "user", text: "more" },
    ]);
    expect(instructions.startsWith(LONG.catalog.text)).toBe(true);
    const told = [messages[0], messages[2]].map((message) => message?.text);
    for (const [index, { text }] of LONG.notices.entries()) expect(told[index]).toContain(text);
    await session.deactivate("bank");
    expect(saved.at(-1)).toMatchObject({ version: 3, active: [{ name: "tea" }], spent: LONG.spent });
  });
});

test.each([
  ["version 1", { version: 1, active: [] }, "not the state of a session"],
  ["version 3 without its notices", { version: 3, active: [], spent: 0 }, "not the state of a session"],
  [
    "a newer version",
    { version: 4, active: [], spent: 0, notices: [] },
    "supports only versions 2 and 3. Update skillset.",
  ],
  ["a list", [], "not the state of a session"],
])("%s is refused", (_title, state, message) => {
  expect(() => readState(state)).toThrow(
    expect.objectContaining({ code: "store-failed", message: expect.stringContaining(message) }),
  );
});
