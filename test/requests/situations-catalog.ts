import { CATALOG_FORMATS } from "../../packages/skillset/src/core/catalog/catalog-format.ts";
import { ANSWERS, activate, nowWith, type Situation } from "./situation.ts";
import { COFFEE, LIBRARY, MILK, NEW_TEA, RELEASE, RENAMED_TEA, RULES, SHELF, TEA } from "./skills.ts";

const SKILLS = [TEA, COFFEE];
const script = ANSWERS;

/** What a model sees of skills that it has not activated, and of changes to them. */
export const CATALOG: readonly Situation[] = [
  { title: "no skills", setup: { skills: [], script }, talk: ["Hi.", "Bye."] },
  { title: "skills", setup: { skills: SKILLS, script }, talk: ["Hi.", "Bye."] },
  {
    title: "the host's own instructions",
    setup: { skills: SKILLS, instructions: "You are a waiter.", script },
    talk: ["Hi.", "Bye."],
  },
  {
    title: "a system prompt in the other place of the SDK",
    needs: "other-system",
    setup: { skills: SKILLS, system: "You are a waiter.", script },
    talk: ["Hi."],
  },
  ...CATALOG_FORMATS.map(
    (format): Situation => ({
      title: `a catalog in the format ${format}`,
      setup: { skills: SKILLS, catalog: { format }, script },
      talk: ["Hi.", nowWith(COFFEE, MILK), "What is new?"],
    }),
  ),
  {
    title: "a catalog without indentation",
    setup: { skills: SKILLS, catalog: { indent: false }, script },
    talk: ["Hi."],
  },
  ...[120, 60, 20].map(
    (tokens): Situation => ({
      title: `a catalog of ${tokens} tokens`,
      setup: { skills: SHELF, catalog: { budget: { tokens } }, script },
      talk: ["Hi.", nowWith(...SHELF.slice(1), TEA), "What is new?"],
    }),
  ),
  {
    title: "a catalog of 300 characters, in JSON",
    setup: { skills: SHELF, catalog: { format: "json", budget: { characters: 300 } }, script },
    talk: ["Hi."],
  },
  {
    title: "the skillset's own budget",
    setup: { skills: SHELF, catalogBudget: { tokens: 60 }, script },
    talk: ["Hi."],
  },
  {
    title: "pins in a small catalog",
    setup: { skills: SHELF, catalog: { budget: { tokens: 60 }, pins: ["meadow", "comet"] }, script },
    talk: ["Hi."],
  },
  {
    title: "a catalog that omits names, and a search",
    setup: {
      skills: LIBRARY,
      catalog: { budget: { tokens: 40 }, format: "names" },
      script: [
        { call: "search_skills", input: { query: "tides of the moon" } },
        activate("b220"),
        activate("none"),
        ...ANSWERS,
      ],
    },
    talk: ["When is high tide?", "Thanks."],
  },
  {
    title: "a catalog that used skills come first in",
    needs: "history",
    setup: { skills: [...SHELF, TEA], catalog: { budget: { tokens: 60 } }, script: [activate("tea"), ...ANSWERS] },
    talk: ["Tea, please.", nowWith(...SHELF.slice(2), TEA, COFFEE), "What is new?"],
  },
  {
    title: "skills that are hidden from the model or from users",
    setup: { skills: [TEA, RELEASE, RULES], script },
    talk: ["Hi.", "/house-rules, please"],
  },
  {
    title: "suggestions",
    setup: {
      skills: SHELF,
      catalog: { budget: { tokens: 40 } },
      suggest: true,
      script: [...ANSWERS.slice(0, 1), activate("sourdough"), ...ANSWERS.slice(1)],
    },
    talk: ["How do I bake sourdough bread from a starter?", "Do it.", "Does a violin or an orchid need a glacier?"],
  },
  { title: "an added skill", setup: { skills: [TEA], script }, talk: ["Hi.", nowWith(TEA, COFFEE), "New?", "Bye."] },
  { title: "a removed skill", setup: { skills: SKILLS, script }, talk: ["Hi.", nowWith(TEA), "Gone?", "Bye."] },
  {
    title: "a skill with a new description",
    setup: { skills: SKILLS, script },
    talk: ["Hi.", nowWith(RENAMED_TEA, COFFEE), "New?", "Bye."],
  },
  {
    title: "a skill that leaves and returns",
    setup: { skills: SKILLS, script },
    talk: ["Hi.", nowWith(TEA), "Gone?", nowWith(TEA, COFFEE), "Back?", "Bye."],
  },
  { title: "the first skill comes later", setup: { skills: [], script }, talk: ["Hi.", nowWith(TEA), "New?", "Bye."] },
  { title: "the last skill leaves", setup: { skills: [TEA], script }, talk: ["Hi.", nowWith(), "Gone?", "Bye."] },
  {
    title: "everything changes at once",
    setup: { skills: SKILLS, script: [activate("tea"), ...ANSWERS] },
    talk: ["Tea, please.", nowWith(NEW_TEA, MILK), "New?", "Bye."],
  },
];
