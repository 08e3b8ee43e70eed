import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SkillError } from "../base/errors.ts";
import { openTag, renderActivation, renderAlreadyActive, renderStub } from "../session/activation.ts";
import { estimateTokens } from "../text/tokens.ts";
import { type CompactedHistory, type CompactHistoryOptions, compactHistory, type HistoryMessage } from "./compact.ts";

type ActiveSkill = CompactHistoryOptions["active"][number];

const CASES = Number(process.env.CASES ?? 2_000);
/** The cost of a message in `compactHistory` besides its text. */
const OVERHEAD = 4;

const activation = (name: string, body: string, files: readonly string[] = []): string =>
  renderActivation({ name, body, changed: false, files, moreFiles: 0 });
const active = (name: string, body: string): ActiveSkill => ({ name, text: activation(name, body) });
const say = (role: HistoryMessage["role"], content: string, group?: string): HistoryMessage => ({
  role,
  content,
  ...(group !== undefined && { group }),
});
const characters = (messages: readonly HistoryMessage[]): number =>
  messages.reduce((sum, { content }) => sum + content.length + OVERHEAD, 0);
const contents = ({ messages }: CompactedHistory): string[] => messages.map(({ content }) => content);
const whole = (messages: readonly HistoryMessage[]): string => messages.map(({ content }) => content).join("\n");
const count = (messages: readonly HistoryMessage[], part: string): number => whole(messages).split(part).length - 1;

const pdf = active("pdf", "Read the form before you fill it. ".repeat(20));
const git = active("git", "Never force a push. ".repeat(20));

describe("a history", () => {
  const short = [
    say("system", "You help."),
    say("user", "Fill the form."),
    say("tool", pdf.text),
    say("user", "Thanks."),
  ];

  test("that fits and has every active skill once is returned unchanged", () => {
    const result = compactHistory(short, { active: [pdf], budget: { characters: characters(short) } });
    expect(result).toEqual({ messages: short, injected: [], stubbed: [], dropped: 0 });
  });

  test("that fits but has lost the instructions gets them again, behind the system messages", () => {
    const without = short.filter(({ role }) => role !== "tool");
    const result = compactHistory(without, { active: [pdf], budget: { characters: 10_000 } });
    expect(contents(result)).toEqual(["You help.", pdf.text, "Fill the form.", "Thanks."]);
    expect(result).toMatchObject({ injected: ["pdf"], stubbed: [], dropped: 0 });
  });

  test("that has the instructions twice keeps them once", () => {
    const twice = [...short.slice(0, 3), say("tool", pdf.text), say("user", "Thanks.")];
    expect(count(twice, openTag("pdf"))).toBe(2);
    const { messages } = compactHistory(twice, { active: [pdf], budget: { characters: 10_000 } });
    expect([count(messages, openTag("pdf")), count(messages, pdf.text)]).toEqual([1, 1]);
  });

  test("that has an older version gets the new one in its place", () => {
    const old = short.map((message) => (message.role === "tool" ? say("tool", activation("pdf", "Old.")) : message));
    const { messages } = compactHistory(old, { active: [pdf], budget: { characters: 10_000 } });
    expect([count(messages, openTag("pdf")), count(messages, pdf.text), count(messages, "Old.")]).toEqual([1, 1, 0]);
  });

  test("that has the stub of an earlier compaction gets the instructions back when there is room", () => {
    const squeezed = compactHistory(short, { active: [pdf], budget: { characters: 300 } });
    expect(squeezed.stubbed).toEqual(["pdf"]);
    const { messages, stubbed } = compactHistory(squeezed.messages, { active: [pdf], budget: { characters: 10_000 } });
    expect([count(messages, openTag("pdf")), count(messages, pdf.text), stubbed]).toEqual([1, 1, []]);
  });

  test("that is too long loses its oldest messages, and keeps the system messages, the newest and the last", () => {
    const long = [
      say("system", "You help."),
      ...Array.from({ length: 50 }, (_, index) => say("user", `Line ${index}.`)),
    ];
    const result = compactHistory(long, { active: [], budget: { characters: 9 + 4 + 3 * (8 + 4) } });
    expect(contents(result)).toEqual(["You help.", "Line 47.", "Line 48.", "Line 49."]);
    expect(result.dropped).toBe(47);
  });

  test("without a single message gets the instructions", () => {
    const { messages } = compactHistory([], { active: [pdf], budget: { characters: 10_000 } });
    expect(messages).toEqual([say("system", pdf.text)]);
  });

  test("of system messages alone keeps them all", () => {
    const system = [say("system", "One."), say("system", "Two.")];
    const { messages } = compactHistory(system, { active: [pdf], budget: { characters: 10_000 } });
    expect(messages.slice(0, 2)).toEqual(system);
  });

  test("keeps the instructions of skills that are not active, while their messages stay", () => {
    const { messages } = compactHistory(short, { active: [git], budget: { characters: 10_000 } });
    expect(count(messages, pdf.text)).toBe(1);
  });

  test("is counted in tokens when the budget is in tokens, with the counter that is given", () => {
    const words = (text: string): number => text.split(/\s+/).length;
    const long = Array.from({ length: 10 }, (_, index) => say("user", `a b ${index}`));
    const result = compactHistory(long, { active: [], budget: { tokens: 21 }, countTokens: words });
    expect(contents(result)).toEqual(["a b 7", "a b 8", "a b 9"]);
  });
});

describe("a block of instructions that was cut in the middle", () => {
  const cut = `${git.text.slice(0, 60)}…`;

  test("is replaced by the whole", () => {
    const { messages } = compactHistory([say("tool", cut), say("user", "Continue.")], {
      active: [git],
      budget: { characters: 10_000 },
    });
    expect([count(messages, openTag("git")), count(messages, git.text)]).toEqual([1, 1]);
  });

  test("does not remove another skill's instructions after it", () => {
    const history = [say("tool", `${cut}\n${pdf.text}`), say("user", "Continue.")];
    const { messages } = compactHistory(history, { active: [pdf, git], budget: { characters: 10_000 } });
    expect([count(messages, pdf.text), count(messages, git.text)]).toEqual([1, 1]);
  });

  test("does not remove the instructions of an inactive skill after it", () => {
    const history = [say("tool", `${cut}\n${pdf.text}`), say("user", "Continue.")];
    const { messages } = compactHistory(history, { active: [git], budget: { characters: 10_000 } });
    expect(count(messages, pdf.text)).toBe(1);
  });
});

describe("when not all instructions fit", () => {
  const history = [say("system", "You help."), say("user", "Old. ".repeat(200)), say("user", "Now.")];
  const must = 9 + 4 + 4 + 4;
  const stub = (name: string): number => renderStub(name).length + OVERHEAD;

  test("the skill that was activated last has them, and the others have a stub", () => {
    const budget = { characters: must + stub("pdf") + git.text.length + OVERHEAD };
    const result = compactHistory(history, { active: [pdf, git], budget });
    expect(contents(result)).toEqual(["You help.", renderStub("pdf"), git.text, "Now."]);
    expect(result).toMatchObject({ injected: ["git"], stubbed: ["pdf"], dropped: 1 });
  });

  test("each has a stub that names it when there is room for no more", () => {
    const budget = { characters: must + stub("pdf") + stub("git") };
    const result = compactHistory(history, { active: [pdf, git], budget });
    expect(contents(result)).toEqual(["You help.", renderStub("pdf"), renderStub("git"), "Now."]);
    expect(result).toMatchObject({ injected: [], stubbed: ["pdf", "git"] });
  });

  test("and not even the stubs, the error says how much is needed", () => {
    const needed = must + stub("pdf") + stub("git");
    const shorten = (budget: number) => compactHistory(history, { active: [pdf, git], budget: { characters: budget } });
    expect(() => shorten(needed - 1)).toThrow(SkillError);
    expect(() => shorten(needed - 1)).toThrow(
      expect.objectContaining({ code: "option-invalid", message: expect.stringContaining(`take ${needed}.`) }),
    );
    expect(shorten(needed).stubbed).toEqual(["pdf", "git"]);
  });

  test("instructions shorter than their stub are kept", () => {
    const tiny = active("tiny", "Smile.");
    expect(tiny.text.length).toBeLessThan(renderStub("tiny").length);
    const budget = { characters: must + tiny.text.length + OVERHEAD };
    expect(contents(compactHistory(history, { active: [tiny], budget }))).toEqual(["You help.", tiny.text, "Now."]);
  });
});

describe("the messages of a group", () => {
  const ask = "What is in the file? ".repeat(10);

  test("are kept or dropped together", () => {
    const history = [say("assistant", "call", "a"), say("tool", ask, "a"), say("user", "Now.")];
    const result = compactHistory(history, { active: [], budget: { characters: ask.length + 20 } });
    expect(contents(result)).toEqual(["call", ask, "Now."]);
    const tighter = compactHistory(history, { active: [], budget: { characters: ask.length + 19 } });
    expect(contents(tighter)).toEqual(["Now."]);
  });

  test("stay when the last message is one of them", () => {
    const history = [say("user", ask), say("assistant", "call", "a"), say("tool", "result", "a")];
    const result = compactHistory(history, { active: [], budget: { characters: 4 + 4 + 6 + 4 } });
    expect(contents(result)).toEqual(["call", "result"]);
    expect(() => compactHistory(history, { active: [], budget: { characters: 17 } })).toThrow("take 18.");
  });

  test("are together also when two calls overlap", () => {
    const overlapping = ["a", "b", "a", "b"].map((group, index) => say(index < 2 ? "assistant" : "tool", group, group));
    const history = [...overlapping, say("user", "Now.")];
    const result = compactHistory(history, { active: [], budget: { characters: 8 + 3 * 5 } });
    expect(contents(result)).toEqual(["Now."]);
  });
});

describe("a compacted history", () => {
  const talk = Array.from({ length: 30 }, (_, index) => say("user", `Line ${index}. ${"x".repeat(20)}`));
  const history = [say("system", "You help."), ...talk];

  test.each([500, 1_200, 1_700])("to %i characters is not changed by compacting it again", (limit) => {
    const options = { active: [pdf, git], budget: { characters: limit } };
    const once = compactHistory(history, options).messages;
    expect(compactHistory(once, options).messages).toEqual(once);
  });

  test("stays the same size however often the conversation continues and is compacted again", () => {
    const options = { active: [pdf, git], budget: { characters: 600 } };
    let messages: readonly HistoryMessage[] = history;
    for (let turn = 0; turn < 50; turn++)
      messages = compactHistory([...messages, say("user", `Turn ${turn}.`)], options).messages;
    expect(messages.filter(({ role }) => role === "system")).toHaveLength(3);
  });
});

// Random histories. Every message starts with a unique mark, so that it is recognized after a change.

const NAMES = ["pdf", "git-helper", "a", "ab"] as const;
const anyName = fc.constantFrom(...NAMES);
const OLD_BODY = "How it was done before.";
const prose = fc
  .array(fc.constantFrom("fill", "the", "form.", "<b>", "</skill_content>", "技能", "😀", "\n", "pdf"), {
    maxLength: 12,
  })
  .map((words) => words.join(" "));

const anyActive = fc
  .uniqueArray(anyName, { maxLength: NAMES.length })
  .chain((names) => fc.tuple(...names.map((name) => fc.record({ name: fc.constant(name), length: fc.nat(600) }))))
  .map((skills) => skills.map(({ name, length }) => active(name, "Do it well. ".repeat(50).slice(0, length + 1))));

/** Something that a message holds: talk, or a block in one of the states that a history may have it in. */
function anyPiece(skills: readonly ActiveSkill[]): fc.Arbitrary<string> {
  const blocks = [...skills.map(({ text }) => text), ...NAMES.map((name) => activation(name, OLD_BODY, ["a.md"]))];
  const block = fc.constantFrom(...blocks);
  return fc.oneof(
    { arbitrary: prose, weight: 4 },
    { arbitrary: block, weight: 2 },
    fc.tuple(block, fc.nat()).map(([text, at]) => text.slice(0, at % text.length)),
    fc.tuple(block, fc.nat()).map(([text, at]) => text.slice(at % text.length)),
    anyName.map(renderStub),
    anyName.map(renderAlreadyActive),
  );
}

const anyHistory = (skills: readonly ActiveSkill[]): fc.Arbitrary<HistoryMessage[]> => {
  const content = fc.array(anyPiece(skills), { maxLength: 3 }).map((pieces) => pieces.join("\n"));
  const other = fc.record({
    role: fc.constantFrom<HistoryMessage["role"]>("user", "assistant", "tool", "tool", "system"),
    content,
    group: fc.option(fc.constantFrom("g1", "g2", "g3"), { nil: undefined, freq: 2 }),
  });
  return fc
    .tuple(fc.array(content, { maxLength: 2 }), fc.array(other, { maxLength: 12 }))
    .map(([head, rest]) => [
      ...head.map((text) => say("system", text)),
      ...rest.map(({ role, content, group }) => say(role, content, role === "system" ? undefined : group)),
    ])
    .map((messages) => messages.map((message, index) => ({ ...message, content: `#${index}# ${message.content}` })));
};

const anyCase = anyActive.chain((skills) =>
  fc.record({
    skills: fc.constant(skills),
    history: anyHistory(skills),
    /** How much of what the whole takes there is room for, in percent. */
    share: fc.integer({ min: 0, max: 130 }),
    unit: fc.constantFrom<"characters" | "tokens">("characters", "tokens"),
  }),
);

test("whatever is in a history and however small the budget, what goes to the model is right", () => {
  const seen = { unchanged: 0, filled: 0, shortened: 0, stubbed: 0, refused: 0 };
  fc.assert(
    fc.property(anyCase, ({ skills, history, share, unit }) => {
      const measure = unit === "tokens" ? estimateTokens : (text: string): number => text.length;
      const cost = (messages: readonly HistoryMessage[]): number =>
        messages.reduce((sum, { content }) => sum + measure(content) + OVERHEAD, 0);
      const all = cost(history) + cost(skills.map(({ text }) => say("system", text)));
      const limit = Math.floor((all * share) / 100);
      const shorten = (most: number): CompactedHistory =>
        compactHistory(history, {
          active: skills,
          budget: unit === "tokens" ? { tokens: most } : { characters: most },
        });

      let result: CompactedHistory;
      try {
        result = shorten(limit);
      } catch (error) {
        seen.refused++;
        expect(error).toBeInstanceOf(SkillError);
        const needed = Number(/take (\d+)\.$/.exec((error as SkillError).message)?.[1]);
        expect(needed).toBeGreaterThan(limit);
        expect(cost(shorten(needed).messages)).toBeLessThanOrEqual(needed);
        return;
      }

      const { messages, injected, stubbed, dropped } = result;
      expect(cost(messages)).toBeLessThanOrEqual(limit);
      for (const { name, text } of skills) {
        expect(count(messages, openTag(name))).toBe(1);
        expect(count(messages, stubbed.includes(name) ? renderStub(name) : text)).toBe(1);
      }
      expect(injected.filter((name) => stubbed.includes(name))).toEqual([]);

      const marks = marksOf(messages);
      expect(marks).toEqual([...marks].sort((a, b) => a - b));
      expect(new Set(marks).size).toBe(marks.length);
      expect(history.length - marks.length).toBe(dropped);
      const head = history.findIndex(({ role }) => role !== "system");
      const headMarks = marksOf(head === -1 ? history : history.slice(0, head));
      expect(marks.slice(0, headMarks.length)).toEqual(headMarks);
      if (history.length > 0) expect(marks.at(-1)).toBe(history.length - 1);
      for (const group of ["g1", "g2", "g3"]) {
        const members = history.flatMap((message, index) => (message.group === group ? [index] : []));
        expect([0, members.length]).toContain(members.filter((index) => marks.includes(index)).length);
      }

      const present = skills.every(
        ({ name, text }) => count(history, openTag(name)) === 1 && count(history, text) === 1,
      );
      if (present && cost(history) <= limit) {
        seen.unchanged++;
        expect(result).toEqual({ messages: history, injected: [], stubbed: [], dropped: 0 });
      } else if (stubbed.length > 0) seen.stubbed++;
      else if (dropped > 0) seen.shortened++;
      else seen.filled++;
    }),
    { numRuns: CASES },
  );
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(CASES / 200);
});

test("whatever was compacted stays as it is when it is compacted again", () => {
  fc.assert(
    fc.property(anyCase, ({ skills, history, share }) => {
      const talk = history.filter(({ role }, index) => role !== "system" || index === 0);
      const budget = { characters: 400 * (skills.length + 1) + Math.floor((characters(talk) * share) / 100) };
      const options = { active: skills, budget };
      let once: CompactedHistory;
      try {
        once = compactHistory(talk, options);
      } catch {
        return;
      }
      expect(compactHistory(once.messages, options).messages).toEqual(once.messages);
    }),
    { numRuns: CASES },
  );
});

function marksOf(messages: readonly HistoryMessage[]): number[] {
  return messages.flatMap(({ content }) => {
    const mark = /^#(\d+)#/.exec(content)?.[1];
    return mark === undefined ? [] : [Number(mark)];
  });
}
