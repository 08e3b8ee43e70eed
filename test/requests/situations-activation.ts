import { ANSWERS, activate, host, nowWith, type Situation } from "./situation.ts";
import { COCOA, COFFEE, LETTER, MILK, NEW_TEA, NOTES, RELEASE, RULES, TEA } from "./skills.ts";

const SKILLS = [TEA, COFFEE];
const [FIRST, SECOND, ...OTHERS] = ANSWERS as [(typeof ANSWERS)[number], (typeof ANSWERS)[number]];
const script = ANSWERS;
const triggers = { triggers: "activate" } as const;

/** Ways in which a skill becomes active, and how it ceases to be. */
export const ACTIVATION: readonly Situation[] = [
  {
    title: "activation by the model",
    setup: { skills: SKILLS, script: [activate("tea"), ...script] },
    talk: ["Tea, please.", "Thanks.", "Bye."],
  },
  {
    title: "activation of several skills at once",
    setup: { skills: SKILLS, script: [{ calls: [activate("tea"), activate("coffee")] }, ...script] },
    talk: ["Tea and coffee, please.", "Thanks."],
  },
  {
    title: "several steps",
    setup: { skills: SKILLS, script: [activate("tea"), activate("coffee"), activate("tea"), ...script] },
    talk: ["Tea, then coffee, then tea.", "Thanks."],
  },
  {
    title: "repeated activation in a later turn",
    setup: { skills: SKILLS, script: [activate("tea"), FIRST, activate("tea"), SECOND, ...OTHERS] },
    talk: ["Tea, please.", "More tea.", "Thanks."],
  },
  {
    title: "wrong activations",
    setup: {
      skills: [TEA, RELEASE],
      script: [
        activate("teas"),
        activate("release"),
        { call: "activate_skill", input: {} },
        { call: "activate_skill", input: { name: 7 } },
        ...script,
      ],
    },
    talk: ["Tea, please."],
  },
  {
    title: "activation by name",
    needs: "invocation",
    setup: { skills: [TEA, NOTES], script },
    talk: ["/notes buy <milk>", "Thanks.", "/tea", "Bye."],
  },
  {
    title: "activation by name again, with other arguments",
    needs: "invocation",
    setup: { skills: [NOTES], script },
    talk: ["/notes buy milk", "/notes feed the cat", "Thanks.", "/notes feed the cat"],
  },
  {
    title: "activation by several names",
    needs: "invocation",
    setup: { skills: [TEA, COFFEE, NOTES], script },
    talk: ["/notes /tea /notes buy milk", "Thanks."],
  },
  {
    title: "arguments for placeholders",
    needs: "invocation",
    setup: { skills: [LETTER], script },
    talk: ['/letter "Ada Lovelace" kind', "/letter Bob", "/letter"],
  },
  {
    title: "names that invoke nothing",
    needs: "invocation",
    setup: { skills: [TEA, RULES], script },
    talk: ["/none at all", "/house-rules please", "Say /tea."],
  },
  {
    title: "activation by name of a skill that is hidden from the model",
    needs: "invocation",
    setup: { skills: [TEA, RELEASE], script: [FIRST, activate("release"), SECOND, ...OTHERS] },
    talk: ["/release now", "Again.", "Thanks."],
  },
  {
    title: "activation by name and then by the model",
    needs: "invocation",
    setup: { skills: [NOTES], script: [FIRST, activate("notes"), SECOND, ...OTHERS] },
    talk: ["/notes buy milk", "More notes.", "Thanks."],
  },
  {
    title: "another prefix",
    needs: "invoked-active",
    setup: { skills: [NOTES], session: { invocationPrefix: "!" }, script },
    talk: ["!notes buy milk", "/notes buy tea"],
  },
  {
    title: "activation by a trigger",
    needs: "invoked-active",
    setup: { skills: [TEA, COCOA, MILK], session: triggers, script },
    talk: ["Cocoa, please.", "More cocoa!", "Hot chocolate with milk.", "Bye."],
  },
  {
    title: "activation by a trigger and a name",
    needs: "invoked-active",
    setup: { skills: [NOTES, COCOA], session: triggers, script },
    talk: ["/notes buy cocoa", "Cocoa!", "Thanks."],
  },
  {
    title: "triggers that only suggest",
    needs: "notice",
    setup: {
      skills: [COCOA, MILK],
      session: { triggers: "suggest" },
      script: [FIRST, activate("cocoa"), SECOND, ...OTHERS],
    },
    talk: ["Cocoa with milk, please.", "Do it.", "More cocoa!"],
  },
  {
    title: "activation by the host",
    setup: { skills: [NOTES, TEA], script },
    talk: [
      host((session) => session.activate("notes", { by: "user", arguments: "buy milk" })),
      "Hi.",
      host((session) => session.activate("tea")),
      "Thanks.",
    ],
  },
  {
    title: "deactivation by the model",
    setup: {
      skills: SKILLS,
      operations: { include: ["activate_skill", "deactivate_skill"] },
      script: [
        activate("tea"),
        { calls: [{ call: "deactivate_skill", input: { name: "tea" } }, activate("coffee")] },
        { call: "deactivate_skill", input: { name: "tea" } },
        ...script,
      ],
    },
    talk: ["Tea, please.", "Thanks."],
  },
  {
    title: "deactivation by the host, and activation again",
    setup: { skills: SKILLS, script: [activate("tea"), FIRST, SECOND, activate("tea"), ...OTHERS] },
    talk: ["Tea, please.", host((session) => session.deactivate("tea")), "Thanks.", "Tea again.", "Bye."],
  },
  {
    title: "deactivation of a skill that was activated by name",
    needs: "invoked-active",
    setup: { skills: [NOTES], script },
    talk: ["/notes buy milk", host((session) => session.deactivate("notes")), "Thanks.", "/notes buy tea", "Bye."],
  },
  {
    title: "instructions that exceed the budget",
    needs: "budget",
    setup: {
      skills: SKILLS,
      session: { budget: { tokens: 40 } },
      script: [activate("tea"), activate("coffee"), ...script],
    },
    talk: ["Tea and coffee, please.", "Thanks."],
  },
  {
    title: "changed instructions",
    setup: { skills: SKILLS, script: [activate("tea"), FIRST, SECOND, activate("tea"), ...OTHERS] },
    talk: ["Tea, please.", nowWith(NEW_TEA, COFFEE), "Thanks.", "More tea.", "Bye."],
  },
  {
    title: "changed instructions of a skill that was activated by name",
    needs: "invoked-active",
    setup: { skills: SKILLS, script },
    talk: ["/tea green", nowWith(NEW_TEA, COFFEE), "Thanks.", "/tea black", "Bye."],
  },
  {
    title: "instructions that are cut",
    setup: { skills: [COFFEE], session: { limits: { skillMdBytes: 30 } }, script: [activate("coffee"), ...script] },
    talk: ["Coffee, please."],
  },
];
