import assert from "node:assert/strict";
import type { ContractScenario } from "./contract-adapter.ts";
import { converse, lastRequest, resultsIn, timesTold, withFolder } from "./contract-conversation.ts";

/** Tools from modules of skills. */
export const toolsetScenarios: readonly ContractScenario[] = [
  {
    id: "toolset",
    title: "The tools of a toolset are in the skill's instructions, and `call_skill_tool` calls them",
    run: (adapter) =>
      withFolder(FILES, (folder) => {
        const call = (input: unknown) => ({ call: OPERATION, input: { skill: "brewer", tool: "brew", input } });
        const script = [
          { call: "activate_skill", input: { name: "brewer" } },
          call({ cups: 2 }),
          call({ cups: "many" }),
          { say: "Done." },
        ];
        // The module is the contract's own, so it needs no sandbox.
        const scripts = { runner: "subprocess", consent: () => "always" as const } as const;
        const setup = { skills: [folder], scripts, toolsets: "sandbox", script } as const;
        return converse(adapter, setup, async ({ agent, model }) => {
          assert.equal(await agent.say("Tea, please."), "Done.");
          const lists = model.requests.map(({ tools }) => tools);
          assert.ok(lists[0]?.includes(OPERATION));
          assert.deepEqual(lists.at(-1), lists[0]);
          assert.equal(timesTold(lastRequest(model), "### brew\nBrews tea."), 1);
          const [brewed = "", refused = ""] = resultsIn(lastRequest(model)).slice(-2);
          assert.ok(brewed.includes("2 cups of tea"), brewed);
          assert.ok(refused.includes("Invalid input for tool 'brew' of skill 'brewer'"), refused);
        });
      }),
  },
];

const OPERATION = "call_skill_tool";

const FILES = {
  "brewer/SKILL.md":
    '---\nname: brewer\ndescription: Brews tea. Use when asked for tea.\ntoolsets: ["toolsets/index:Brewing"]\n---\n\nBrew it.\n',
  "brewer/toolsets/index.mjs": [
    'const inputSchema = { type: "object", properties: { cups: { type: "number" } }, required: ["cups"] };',
    'const brew = { name: "brew", description: "Brews tea.", inputSchema, handler: ({ cups }) => cups + " cups of tea" };',
    "export const Brewing = { tools: [brew] };",
    "",
  ].join("\n"),
} as const;
