import { describe, expect, test } from "vitest";
import { type ConversationEvent, reduce } from "../conversation/reduce.ts";
import { EMPTY_STATE, type SessionState, type StoredCatalog } from "../conversation/state.ts";
import { GivenTexts } from "../session/given-texts.ts";
import type { Snapshot } from "../session/snapshot.ts";
import { defineSkill } from "../skill/define-skill.ts";
import { textMark } from "../skill/fingerprint.ts";
import type { Skill } from "../skill/skill.ts";
import { estimateTokens } from "../text/tokens.ts";
import { type Composed, compose, type Gathered } from "./compose.ts";
import { composeStep } from "./compose-step.ts";
import { describe as describeSkills } from "./notices.ts";
import type { TurnMessage } from "./turn.ts";

const user = (text: string): TurnMessage => ({ role: "user", text });
const tea = defineSkill({ name: "tea", description: "Makes tea.", body: "TEA" });
const pdf = defineSkill({ name: "pdf", description: "Reads PDFs.", body: "PDF" });
const stored = { name: "tea", digest: "1", changed: false };
const activated: ConversationEvent = { type: "activated", skill: { name: "tea", digest: "1", by: "model" }, tokens: 1 };
const shown: StoredCatalog = {
  text: "CATALOG",
  tokens: 1,
  skills: describeSkills([tea]),
  shortened: [],
  nameOnly: [],
  omitted: [],
  hasTools: false,
};
const NOTHING: Gathered = {
  texts: new Map(),
  opened: { invoked: [], triggered: [], suggested: [] },
  lost: new Map(),
  fitting: [],
};

const after = (...events: readonly ConversationEvent[]): SessionState => events.reduce(reduce, EMPTY_STATE);

/** A conversation with these skills and this state, and nothing else. */
function snapshot(state: SessionState, skills: readonly Skill[] = [tea]): Snapshot {
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  return {
    state,
    active: new Map(state.active.map((one) => [one.name, one])),
    skillset: { skills, get: (name) => byName.get(name), has: (name) => byName.has(name), entries: [], settings: {} },
    given: new GivenTexts(),
    ledger: [],
    countTokens: estimateTokens,
    invocationPrefix: "/",
  };
}

const composeFor = (conversation: Snapshot, messages: readonly TurnMessage[], gathered: Partial<Gathered> = {}) =>
  compose(conversation, messages, { ...NOTHING, ...gathered }, { shown, rules: "RULES", catalog: undefined });
const textsOf = ({ messages }: Composed): readonly string[] => messages.map(({ text }) => text);

describe("a composed request", () => {
  test("is the catalog and the messages as they are if nothing happened, and changes nothing", () => {
    const messages = [user("Hi."), { role: "assistant", text: "Hello." } as const, user("Bye.")];
    const composed = composeFor(snapshot(EMPTY_STATE), messages);
    expect(composed).toMatchObject({
      instructions: "CATALOG\n\nRULES",
      messages,
      events: [],
      recorded: [],
      unread: [],
    });
  });

  test("has a notice of what is new since the catalog, and repeats it once its events are applied", () => {
    const first = composeFor(snapshot(EMPTY_STATE, [tea, pdf]), [user("Hi.")]);
    expect(textsOf(first)[0]).toMatch(/^<skill_notice>\nThese skills are new:[\s\S]*Reads PDFs\.[\s\S]*\n\nHi\.$/);
    expect(first.recorded).toMatchObject([{ type: "skills-offered", skills: ["pdf"] }]);
    const again = composeFor(snapshot(after(...first.events), [tea, pdf]), [user("Hi.")]);
    expect(again).toMatchObject({ messages: first.messages, events: [], recorded: [] });
  });

  test("has the instructions that the messages have lost, unless another turn has added them since", () => {
    const lost = new Map([[stored, "TEXT OF TEA"]]);
    const first = composeFor(snapshot(after(activated)), [user("Hi.")], { lost });
    expect(textsOf(first)[0]).toMatch(
      /^<skill_notice>\nActive skills [^\n]*tea\.\n<\/skill_notice>\n\nTEXT OF TEA\n\nHi\.$/,
    );
    const both = snapshot(after(activated, ...first.events));
    const second = composeFor(both, [user("Hi.")], { lost, texts: lost });
    expect(second).toMatchObject({ messages: first.messages, events: [] });
  });

  test("names instructions that another turn has added and nobody has read", () => {
    const notice = { message: textMark("Hi."), position: 0, given: [stored] };
    const conversation = snapshot(after(activated, { type: "noticed", notice }));
    expect(composeFor(conversation, [user("Hi.")]).unread).toEqual([{ stored, isGiven: true }]);
    const read = composeFor(conversation, [user("Hi.")], { texts: new Map([[stored, "TEXT OF TEA"]]) });
    expect(read.unread).toEqual([]);
    expect(textsOf(read)[0]).toContain("TEXT OF TEA");
  });

  test("does not depend on anything that is not given, and changes none of it", () => {
    const conversation = Object.freeze(snapshot(Object.freeze(after(activated)), [tea, pdf]));
    const messages = Object.freeze([user("Hi.")]);
    const gathered = { lost: new Map([[stored, "TEXT"]]) };
    expect(composeFor(conversation, messages, gathered)).toEqual(composeFor(conversation, messages, gathered));
    expect(conversation.state).toEqual(after(activated));
  });
});

describe("a composed step", () => {
  const step = (conversation: Snapshot, messages: readonly TurnMessage[], first: Composed, lost: Gathered["lost"]) =>
    composeStep(conversation, messages, lost, first, { shown, rules: "RULES", catalog: undefined });

  test("has the messages as they are if they have everything", () => {
    const conversation = snapshot(EMPTY_STATE, [tea, pdf]);
    const first = composeFor(conversation, [user("Hi.")]);
    const { messages, recorded } = step(conversation, first.messages, first, new Map());
    expect(messages).toEqual(first.messages);
    expect(recorded).toEqual([]);
  });

  test("restores the instructions and the notices that a shortened history has lost", () => {
    const conversation = snapshot(after(activated), [tea, pdf]);
    const first = composeFor(conversation, [user("Hi.")]);
    const { messages, recorded } = step(conversation, [user("Bye.")], first, new Map([[stored, "TEXT OF TEA"]]));
    expect(messages[0]?.text).toMatch(/^TEXT OF TEA\n\n<skill_notice>\nThese skills are new:[\s\S]*\n\nBye\.$/);
    expect(recorded).toEqual(first.recorded);
  });
});
