import { expect, test, vi } from "vitest";
import { commandsUpdate, connect, startProxy, updateOf } from "../../../../../test/acp/proxy-harness.ts";
import { skillMd, writeFiles } from "../../../../../test/temporary-folder.ts";

vi.setConfig({ testTimeout: 20_000 });

const CHARTS_COMMAND = { name: "charts", description: "Draws charts.", input: { hint: "what to draw" } };

test("skills are commands even if the agent announces none, and are added to those that it announces", async () => {
  const { initialize, open, agent, editor } = startProxy({
    files: { "skills/hidden/SKILL.md": skillMd("hidden", "Hidden.", "", "user-invocable: false\n") },
  });
  await initialize();
  const { commands } = await open();
  expect(commands.params).toEqual({
    sessionId: "s1",
    update: { sessionUpdate: "available_commands_update", availableCommands: [CHARTS_COMMAND] },
  });
  const own = { name: "compact", description: "Compacts", _meta: { x: 1 } };
  agent.write(updateOf({ sessionUpdate: "available_commands_update", availableCommands: [own], _meta: 1 }));
  expect(await editor.next()).toMatchObject({
    params: { update: { availableCommands: [own, CHARTS_COMMAND], _meta: 1 } },
  });
});

test("a command of the agent wins over a skill of the same name, and is reported once", async () => {
  const { initialize, request, agent, editor, cwd, reports } = startProxy();
  await initialize();
  // Some agents announce commands before they answer.
  agent.write(commandsUpdate("charts"));
  await editor.next();
  await request("session/new", { cwd, mcpServers: [] }, { sessionId: "s1" });
  const { params } = await editor.next(({ method }) => method === "session/update");
  expect(params).toMatchObject({ update: { availableCommands: [{ name: "charts", description: "of the agent" }] } });
  agent.write(commandsUpdate("charts"));
  await editor.next();
  expect(reports).toEqual(["'/charts' is a command of the agent, so it does not invoke the skill 'charts'."]);
});

test("new skills become commands, and the next prompt announces them", async () => {
  const { initialize, open, prompt, editor, cwd } = startProxy();
  await initialize();
  await connect((await open()).servers);
  await prompt("Hello");
  writeFiles(cwd, { "skills/maps/SKILL.md": skillMd("maps", "Draws maps.") });
  const { params } = await editor.next(({ method }) => method === "session/update");
  expect(params).toMatchObject({ update: { availableCommands: [{ name: "charts" }, { name: "maps" }] } });
  const [own, ...rest] = await prompt("What is new?");
  expect(own?.text).toContain("Draws maps.");
  expect(own?.text).not.toContain("Draws charts.");
  expect(rest).toEqual([{ type: "text", text: "What is new?" }]);
});
