import { expect, test } from "vitest";
import { guardTools } from "../ai-sdk/guard-tools.ts";
import { conversationOf, sessionOf } from "../core/conversation-of.ts";
import type { Session } from "../core/session.ts";
import { makeSkillset } from "../core/skillset.ts";
import { AgentSkillsSection, Prompt, PromptTemplate, WorkspaceSection } from "../prompt/index.ts";

const session = await makeSkillset({ entries: [], problems: [], collisions: [] }).session();

/** What looks like a session, but has none of its state. */
const FORGED: Readonly<Record<string, unknown>> = {
  "a proxy": new Proxy(session, {}),
  "an object with a session as its prototype": Object.create(session),
  "an object with its methods": { id: "1", checkTool: () => ({ allowed: true }) },
  "an empty object": {},
  "an id that is no text": { id: 1 },
  null: null,
  text: "session-1",
};

test.each(Object.entries(FORGED))("%s is refused wherever a session is expected", (_title, forged) => {
  const given = forged as Session;
  const prompt = new Prompt(new PromptTemplate({ ns: "a", key: "b", sections: [] }));
  const uses = {
    sessionOf: () => sessionOf(given),
    conversationOf: () => conversationOf(given),
    guardTools: () => guardTools(given, {}),
    start: () => prompt.start({ session: given }),
    AgentSkillsSection: () => new AgentSkillsSection({ skillsDir: ".", session: given }),
    WorkspaceSection: () => new WorkspaceSection({ mounts: [], allowedHostRoots: [], session: given }),
  };
  for (const [name, use] of Object.entries(uses))
    expect(use, name).toThrow(expect.objectContaining({ code: "option-invalid" }));
});

test("a session is found, and an object with only an id is a conversation without skills", () => {
  expect(sessionOf(session)).toBe(session);
  expect(sessionOf({ id: "conversation-1" })).toBeUndefined();
  expect(sessionOf(undefined)).toBeUndefined();
});
