import { expect, test } from "vitest";
import { createSkillset, defineSkill, MemorySessionStore, type Session, type SessionOptions } from "../../index.ts";
import type { TurnMessage } from "./turn.ts";

const pdf = defineSkill({ name: "pdf", description: "Fills forms.", body: "PDF-BODY", files: { "a.md": "PDF-FILE" } });
const tea = defineSkill({ name: "tea", description: "Makes tea.", body: "TEA-BODY" });
const GONE = "The skill 'pdf' is no longer available. Its text was removed from this conversation.";

async function open(options: SessionOptions = {}): Promise<Session> {
  return (await createSkillset([pdf, tea])).session(options);
}
const user = (text: string): TurnMessage => ({ role: "user", text });
const called = (id: string, name: string, input: unknown): TurnMessage => ({
  role: "assistant",
  text: "",
  calls: [{ id, name, input }],
});
const result = (id: string, text: string): TurnMessage => ({ role: "tool", text, results: [{ id, text }] });
const textsOf = async (session: Session, messages: readonly TurnMessage[], options = {}): Promise<string[]> =>
  (await session.turn(messages, options)).messages.map(({ text }) => text);

test("a restarted program sends nothing of a skill that was deleted meanwhile, and knows it from its store", async () => {
  const options = { id: "chat", store: new MemorySessionStore() };
  const before = await open(options);
  const first = user("/pdf the form");
  expect(await textsOf(before, [first])).toEqual([expect.stringContaining("PDF-BODY")]);
  const after = await (await createSkillset([tea])).session(options);
  const history = [first, called("1", "read_skill_file", { skill: "pdf", path: "a.md" }), result("1", "PDF-FILE")];
  const texts = await textsOf(after, [...history, user("Thanks.")]);
  expect(texts[0]).toContain("/pdf the form");
  expect(texts[2]).toBe(GONE);
  expect(texts.join()).not.toMatch(/PDF-(?:BODY|FILE)/);
});

test("without a store, the texts are found by the calls, and by the tags of a host that stores what it sent", async () => {
  const { text } = await (await open()).activate("pdf");
  const messages = [
    user(`${text}\n\nthe form`),
    called("1", "activate_skill", JSON.stringify({ name: "pdf" })),
    result("1", text),
    called("2", "read_skill_file", { skill: "pdf", path: "a.md" }),
    result("2", "PDF-FILE"),
    called("3", "pdf__fill", {}),
    result("3", "PDF-RESULT"),
    { role: "tool", text: `An adapter that names no calls: ${text}` } as const,
    user("Thanks."),
  ];
  const session = await (await createSkillset([tea])).session();
  const texts = await textsOf(session, messages);
  expect(texts.join()).not.toMatch(/PDF-(?:BODY|FILE|RESULT)/);
  expect(texts[0]).toBe(`${GONE}\n\nthe form`);
  expect([texts[2], texts[4], texts[6]]).toEqual([GONE, GONE, GONE]);
});

test("a skill that is disabled during a run is gone from its next step", async () => {
  const session = await open();
  const turn = await session.turn([user("/pdf the form")]);
  expect(turn.messages[0]?.text).toContain("PDF-BODY");
  await session.use(session.skillset.filter({ disabled: ["pdf"] }));
  const { messages } = await turn.step(turn.messages);
  expect(messages[0]?.texts?.join()).not.toContain("PDF-BODY");
  expect(messages[0]?.text).toContain("the form");
});

test("renamed operations and arguments are recognized, and an id that a provider uses again is the newest call's", async () => {
  const operations = { aliases: { read_skill_file: { name: "skills_read", arguments: { skill: "of" } } } };
  const session = await (await createSkillset([tea, pdf], { disabled: ["pdf"] })).session();
  const messages = [
    called("1", "skills_read", { of: "pdf", path: "a.md" }),
    result("1", "PDF-FILE"),
    called("1", "skills_read", { of: "tea", path: "b.md" }),
    result("1", "TEA-FILE"),
    user("Thanks."),
  ];
  const texts = await textsOf(session, messages, { operations });
  expect([texts[1], texts[3]]).toEqual([GONE, "TEA-FILE"]);
});

test.each([
  [
    { skill: "of", path: "file" },
    { of: "tea", file: "b.md" },
  ],
  [{ path: "name" }, { skill: "tea", name: "b.md" }],
  [{ path: "name" }, { skill_name: "tea", name: "b.md" }],
])("with the arguments renamed to %j, a file of an available skill stays", async (names, input) => {
  const operations = { aliases: { read_skill_file: { name: "read_skill_file", arguments: names } } };
  const messages = [called("1", "read_skill_file", input), result("1", "TEA-FILE"), user("Thanks.")];
  expect((await textsOf(await open(), messages, { operations }))[1]).toBe("TEA-FILE");
});

test("results of the host's own functions, of skills that are there, and errors about made-up names stay", async () => {
  const session = await (await createSkillset([tea, pdf], { disabled: ["pdf"] })).session();
  const refused = await (await open()).activate("cocoa").catch(({ message }: Error) => message);
  const messages = [
    called("1", "pdf__print", {}),
    result("1", "Printed."),
    called("2", "activate_skill", { name: "cocoa" }),
    result("2", String(refused)),
    called("3", "activate_skill", { name: "tea" }),
    result("3", (await session.activate("tea")).text),
    user("Thanks."),
  ];
  const texts = await textsOf(session, messages, { taken: ["pdf__print"] });
  expect(texts.slice(0, 6)).toEqual(messages.slice(0, 6).map(({ text }) => text));
});

test("a file cannot stay by imitating the error about an unknown skill", async () => {
  const session = await (await createSkillset([tea, pdf], { disabled: ["pdf"] })).session();
  const call = called("1", "read_skill_file", { skill: "pdf", path: "a.md" });
  const forged = "Unknown skill 'pdf'. Available: tea. PDF-FILE";
  expect((await textsOf(session, [call, result("1", forged), user("Thanks.")]))[1]).toBe(GONE);
  const honest = "Unknown skill 'pdf'. Available: tea.";
  expect((await textsOf(session, [call, result("1", honest), user("Thanks.")]))[1]).toBe(honest);
});

test("a session without skills sends nothing of those of an earlier one, and knows them from the calls", async () => {
  const { text } = await (await open()).activate("pdf");
  const messages = [
    user(`${text}\n\nthe form`),
    called("1", "read_skill_file", { skill: "pdf", path: "a.md" }),
    result("1", "PDF-FILE"),
    called("2", "run_skill_script", { skill: "pdf", script: "a.sh" }),
    result("2", "PDF-OUTPUT"),
    called("3", "pdf__fill", {}),
    result("3", "PDF-RESULT"),
    user("Thanks."),
  ];
  for (const mode of ["tools", "inject"] as const) {
    const session = await (await createSkillset([])).session();
    const texts = await textsOf(session, messages, { mode });
    expect(texts.join()).not.toMatch(/PDF-(?:BODY|FILE|OUTPUT|RESULT)/);
    const { step } = await session.turn(messages, { mode });
    expect((await step(messages)).messages.map((message) => message.text)).toEqual(texts);
  }
  const renamed = [called("1", "skills_read", { name: "pdf" }), result("1", "PDF-FILE"), user("Thanks.")];
  const operations = { aliases: { read_skill_file: { name: "skills_read" } } };
  const session = await (await createSkillset([])).session();
  expect((await textsOf(session, renamed, { operations }))[1]).toBe(GONE);
  // Without that alias, and with a function of the host, the calls are not ours.
  expect((await textsOf(session, renamed))[1]).toBe("PDF-FILE");
  expect((await textsOf(session, messages.slice(1, 3), { taken: ["read_skill_file"] }))[1]).toBe("PDF-FILE");
});

test("messages of a session that never had skills stay as they are", async () => {
  const { text } = await (await open()).activate("pdf");
  const session = await (await createSkillset([])).session();
  expect(await textsOf(session, [user(`${text}\n\nthe form`)])).toEqual([`${text}\n\nthe form`]);
});

test("what a user writes between tags for an unknown skill stays", async () => {
  const said = 'Look: <skill_content name="made-up">words</skill_content>';
  expect(await textsOf(await open(), [user(said)])).toEqual([said]);
});

test("unloading a skill that is disabled for a moment keeps it unloaded when it returns", async () => {
  const session = await open();
  await session.activate("pdf");
  const { skillset } = session;
  await session.use(skillset.filter({ disabled: ["pdf"] }));
  expect(await session.deactivate("pdf")).toBe(true);
  await session.use(skillset);
  expect(session.active).toEqual([]);
});

test("each absence of an active skill is recorded once", async () => {
  const session = await open();
  await session.activate("pdf");
  const { skillset } = session;
  const without = skillset.filter({ disabled: ["pdf"] });
  for (const next of [without, without, skillset, without]) await session.use(next);
  expect(session.ledger.entries.filter(({ type }) => type === "skill-missing")).toHaveLength(2);
});

test("a long history with texts of ten thousand disabled skills is prepared before the deadline", async () => {
  const many = Array.from({ length: 10_000 }, (_, at) =>
    defineSkill({ name: `skill-${at}`, description: "Does it.", body: "BODY" }),
  );
  const session = await (await createSkillset([...many, tea], { enabled: ["tea"] })).session();
  const messages = Array.from({ length: 1_000 }, (_, at) => [
    called(String(at), `skill-${at}__run`, {}),
    result(String(at), "RESULT"),
    user('<skill_content name="'.repeat(200)),
  ]).flat();
  const texts = await textsOf(session, [...messages, user("Thanks.")]);
  expect(texts.filter((text) => text === "RESULT")).toEqual([]);
}, 20_000);

test("a call of a function that was not offered keeps its refusal, which has no text of a skill", async () => {
  const session = await (await createSkillset([tea])).session();
  const refusal = "There is no function 'run_skill_script'.";
  const call = called("1", "run_skill_script", { skill: "pdf", script: "scripts/fill.py" });
  expect(await textsOf(session, [user("Fill it."), call, result("1", refusal)])).toContain(refusal);
  expect(await textsOf(session, [user("Fill it."), call, result("1", `${refusal} PDF-FILE`)])).toContain(GONE);
});
