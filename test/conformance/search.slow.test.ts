import { beforeAll, describe, expect, test } from "vitest";
import { createOperations } from "../../packages/skillset/src/core/in-session.ts";
import type { Skillset } from "../../packages/skillset/src/core/skillset.ts";
import { createSkillset, defineSkill, estimateTokens } from "../../packages/skillset/src/index.ts";
import { startScriptedModel } from "../../packages/testing/src/index.ts";
import { makeSkills, pickSkills, searchingStep } from "../many-skills.ts";
import { aiSdkStream } from "./adapters/ai-sdk.ts";
import { mcp } from "./adapters/mcp.ts";

const CATALOG_TOKENS = 8_000;
const made = makeSkills(5_000);
let skills: Skillset;

beforeAll(async () => {
  skills = await createSkillset(made.map(({ name, description, body }) => defineSkill({ name, description, body })));
});

describe.for([aiSdkStream, mcp])("$name", (adapter) => {
  test("a model reaches any of 5,000 skills in two calls, with a catalog of 8,000 tokens", async () => {
    const picked = pickSkills(made, 200);
    const step = searchingStep({ search: "search_skills", activate: "activate_skill" });
    const reached: string[] = [];
    for (const { request } of picked) {
      const model = await startScriptedModel([step, step, step], { isSide: () => false });
      const agent = await adapter.start({ skills, modelUrl: model.url });
      expect(await agent.say(request)).toBe("Done.");
      expect(model.requests).toHaveLength(3);
      expect(estimateTokens(model.requests[0]?.system ?? "")).toBeLessThan(CATALOG_TOKENS + 500);
      reached.push(...agent.session.active);
      await agent.close();
      await model.close();
    }
    expect(reached).toEqual(picked.map(({ name }) => name));
  });
});

test("the search finds every one of the 5,000 skills among its five results", async () => {
  const session = await skills.session();
  const search = createOperations(session, { fixedList: true }).find((one) => one.id === "search_skills");
  const missed: string[] = [];
  for (const { name, request } of made) {
    const result = await search?.execute({ query: request });
    const found = result?.isError === false ? result.data.skills : [];
    if (!found.some((one) => one.name === name)) missed.push(name);
  }
  expect(missed).toEqual([]);
});
