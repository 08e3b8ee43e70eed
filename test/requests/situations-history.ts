import { createSkillset, MemorySessionStore, type SkillInput } from "../../packages/skillset/src/index.ts";
import { toolCall } from "../../packages/testing/src/contract/contract-conversation.ts";
import type { ContractAdapter, ScriptStep } from "../../packages/testing/src/index.ts";
import { ANSWERS, activate, type HostAction, host, nowWith, read, type Situation } from "./situation.ts";
import { brewer, COCOA, COFFEE, NEW_TEA, NOTES, TEA } from "./skills.ts";

const script = ANSWERS;
const LONG = "This is a long story. ".repeat(100);
const inject = { mode: "inject", instructions: "You are a waiter." } as const;

/** What a conversation keeps: when texts are lost, when skills leave, without tools, and after a restart. */
export const history = (adapter: ContractAdapter): readonly Situation[] => [
  ...gone(adapter),
  overlap(),
  resumed("nothing changed", [TEA, COFFEE]),
  resumed("the instructions changed", [NEW_TEA, COFFEE]),
  resumed("the skill left", [COFFEE]),
  {
    title: "instructions that are lost from the history",
    needs: "history",
    setup: { skills: [TEA, COFFEE], script: [activate("tea"), ...script], pace: "global" },
    talk: ["Tea, please.", dropHistory("Where were we?"), "Bye."],
  },
  {
    title: "instructions of an invocation that are lost from the history",
    needs: "history",
    setup: { skills: [NOTES], script, pace: "global" },
    talk: ["/notes buy milk", dropHistory("Where were we?"), "Bye."],
  },
  {
    title: "notices that are lost from the history",
    needs: "history",
    setup: { skills: [TEA], script, pace: "global" },
    talk: ["Hi.", nowWith(TEA, COFFEE), "New?", dropHistory("Where were we?")],
  },
  {
    title: "a shortened history",
    needs: "compaction",
    setup: { skills: [TEA], script: [activate("tea"), ...script] },
    talk: ["Tea, please.", LONG, "Continue.", shorten("Thanks."), shorten("Bye.")],
  },
  {
    title: "a shortened history with an invocation and a trigger",
    needs: "compaction",
    setup: { skills: [NOTES, COCOA], session: { triggers: "activate" }, script },
    talk: [LONG, "/notes buy milk", "Cocoa, please.", shorten("Thanks."), shorten("Bye.")],
  },
  {
    title: "a model without tools",
    needs: "inject",
    setup: { ...inject, skills: [TEA, NOTES], script },
    talk: ["Hi.", "/notes buy milk", "Thanks.", host((session) => session.activate("tea")), "Bye."],
  },
  {
    title: "a model without tools, with skills that are always in the prompt",
    needs: "inject",
    setup: { ...inject, inject: ["tea"], skills: [TEA, NOTES], script },
    talk: ["Hi.", "/notes buy milk", nowWith(NEW_TEA, NOTES), "Thanks.", nowWith(NOTES, TEA), "Bye."],
  },
  {
    title: "a model without tools, with triggers",
    needs: "inject",
    setup: { ...inject, skills: [COCOA], session: { triggers: "activate" }, script },
    talk: ["Cocoa, please.", "Thanks."],
  },
];

const dropHistory =
  (text: string): HostAction =>
  ({ say }) =>
    say(text, { history: "drop" });

const shorten =
  (text: string): HostAction =>
  ({ say }) =>
    say(text, { history: { tokens: 200 } });

/** A skill that leaves while the conversation has its texts, for each way to activate it. */
function gone(adapter: ContractAdapter): readonly Situation[] {
  const files = ["leaves.md", "leaf.png"].map((path) => read("brewer", path));
  const use = [activate("brewer"), { calls: [...files, toolCall(adapter, "brewer", "brew", { cups: 2 })] }];
  const byHost = host((session) => session.activate("brewer", { by: "user" }));
  const ways: readonly (readonly [string, Situation["talk"], readonly ScriptStep[]])[] = [
    ["the model", ["A cup, please."], use],
    ["name", ["/brewer green"], []],
    ["a trigger", ["Please brew."], []],
    ["the host", [byHost, "Hi."], []],
  ];
  return ways.map(([way, start, calls]) => ({
    title: `a skill that was activated by ${way} is disabled and returns`,
    needs: "observe",
    setup: { skills: [brewer("1"), COFFEE], session: { triggers: "activate" }, script: [...calls, ...script] },
    talk: [
      ...start,
      host((session) => session.use(session.skillset.filter({ disabled: ["brewer"] }))),
      "Thanks.",
      nowWith(brewer("1"), COFFEE),
      "Is it back?",
      nowWith(brewer("2"), COFFEE),
      "Bye.",
    ],
  }));
}

/** A turn that begins and ends while another one waits for the model. */
function overlap(): Situation {
  let meanwhile: () => Promise<unknown>;
  const answer: ScriptStep = async ({ messages }) => {
    if (messages.at(-1)?.text.includes("Slowly") === true) await meanwhile();
    return activate("tea");
  };
  const both: HostAction = ({ say }) => {
    meanwhile = () => say("Quickly, please.");
    return say("Slowly, please.");
  };
  return {
    title: "turns that overlap",
    needs: "history",
    setup: { skills: [TEA, COFFEE], script: [answer, ...script] },
    talk: [both, "Thanks."],
  };
}

/** A conversation whose first half another process had, with the same store. */
function resumed(what: string, skills: readonly SkillInput[]): Situation {
  const session = { id: "chat", store: new MemorySessionStore() };
  const before = async (): Promise<void> => {
    const earlier = await (await createSkillset([TEA, COFFEE])).session(session);
    await earlier.turn([{ role: "user", text: "/tea green" }]);
    await earlier.activate("coffee");
  };
  return {
    title: `resumed from a store: ${what}`,
    needs: "store",
    before,
    setup: { skills, session, script },
    talk: ["Hi.", "Bye."],
  };
}
