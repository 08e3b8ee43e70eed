import { join } from "node:path";
import type { OperationId } from "skillset/adapter";
import { subprocess } from "skillset/scripts";
import { afterEach, expect } from "vitest";
import { checkSurfaces } from "../../../../test/conformance/operations/check-surfaces.ts";
import { type Surface, scriptOf, seenIn } from "../../../../test/conformance/operations/surface.ts";
import type { ChatMessage } from "../../shared/api.ts";
import { emptyDatabase, openChat } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

/** The operations under the names that the chat's models know. */
const NAMES: Readonly<Record<OperationId, string>> = {
  activate_skill: "skills_activate",
  read_skill_file: "skills_read_resource",
  call_skill_tool: "skills_call_tool",
  run_skill_script: "skills_run_script",
  search_skills: "skills_search",
  deactivate_skill: "skills_deactivate",
};

const CHAT: Surface = {
  refusal: /unavailable tool '\w+'/,
  isStructured: true,
  play: async (world) => {
    const script = scriptOf(world, ({ id, input }) => {
      const { skill, ...others } = input;
      return { name: NAMES[id], input: skill === undefined ? input : { name: skill, ...others } };
    });
    const hasScripts = world.scripts !== undefined;
    const config = `[app.skills]
enabled = true
directories = [${JSON.stringify(join(world.folder, "skills"))}]
max_skills = 300
max_catalog_tokens = 200
scripts = ${hasScripts ? '"auto"' : '"off"'}
[database]
folder = "data"
`;
    const opened = await openChat({ config, script, ...(hasScripts && { scriptRunner: subprocess() }) });
    const id = await opened.create();
    const said = opened.say(id, "Tea, please.");
    if (hasScripts) {
      await expect.poll(async () => (await opened.load(id)).script?.state).toBe("asking");
      const { script: asking } = await opened.load(id);
      await opened.call("POST", `/api/chats/${id}/consent`, { call: asking?.call, answer: "once" });
    }
    const { last } = await said;
    const { tools, results } = seenIn(opened.model.requests);
    const data = dataIn(last);
    return {
      tools: Object.entries(NAMES).flatMap(([operation, name]) => (tools.includes(name) ? [operation] : [])),
      results: results.map(({ text }, index) => ({ text, data: data[index] })),
      events: opened.log.map(({ event, ...fields }) => ({ ...fields, type: event })),
    };
  },
};

/** The structured content of each call, which the page shows. */
function dataIn({ parts }: ChatMessage): readonly unknown[] {
  const calls = parts.filter((part) => "toolCallId" in part);
  return calls.map((part) =>
    part.state === "output-available" ? (part.output as { data?: unknown }).data : undefined,
  );
}

checkSurfaces({ chat: CHAT });
