import { expect, test } from "vitest";
import { createSkillset, defineSkill, defineToolset, MemorySessionStore, standardFolders } from "../index.ts";
import { createSkillsServer } from "../mcp/index.ts";
import { Prompt } from "../prompt/index.ts";
import { createScriptRunner } from "../scripts/index.ts";
import { createOperations } from "./in-session.ts";

const skillset = await createSkillset([defineSkill({ name: "tea", description: "Makes tea.", body: "Steep it." })]);
const session = await skillset.session();
// JavaScript callers pass anything.
const open = (options: unknown) => skillset.session(options as never);

test.each<[string, () => unknown]>([
  [
    "session() takes options, such as { id, store }, not a session. To resume a session, pass its 'id' and its 'store'.",
    () => open(session),
  ],
  ["session() takes options, such as { id, store }, not a skillset.", () => open(skillset)],
  [
    "The option 'store' of session() needs the methods 'load' and 'save'; got a promise: add 'await'.",
    () => open({ store: Promise.resolve(new MemorySessionStore()) }),
  ],
  [
    "The option 'telemetry' of session() needs the methods 'follow' and 'record'; 'follow' is missing.",
    () => open({ telemetry: {} }),
  ],
  [
    "The option 'telemetry' of createSkillsServer() needs the methods 'follow' and 'record'; 'follow' is missing.",
    () => createSkillsServer(skillset, { telemetry: {} as never }),
  ],
  [
    "The option 'scripts' of session() has no option 'consnt'. Did you mean 'consent'?",
    () => open({ scripts: { consnt: () => "once" } }),
  ],
  ["The option 'scripts' of session() takes an object with options, not null.", () => open({ scripts: null })],
  ["'consent' must be a function.", () => open({ scripts: { consent: "yes" } })],
  ["'grants' must be true or false, not 'yes'.", () => open({ scripts: { grants: "yes" } })],
  ["'consent' must be a function.", () => session.scripts.run("tea", "a.py", { consent: "yes" as never })],
  ["'onOutput' must be a function.", () => session.scripts.prepare("tea", { onOutput: true as never })],
  ["'mode' must be 'tools' or 'inject'; got \"injct\".", () => session.turn([], { mode: "injct" as never })],
  [
    "turn() takes an AbortSignal as 'signal', not an AbortController. Pass its 'signal'.",
    () => session.turn([], { signal: new AbortController() as never }),
  ],
  [
    "createScriptRunner() has no option 'minimun'. Did you mean 'minimum'?",
    () => createScriptRunner("auto", { minimun: "bubblewrap" } as never),
  ],
  ["standardFolders() has no option 'cdw'. Did you mean 'cwd'?", () => standardFolders({ cdw: "/" } as never)],
  ["defineToolset() has no option 'toolz'. Did you mean 'tools'?", () => defineToolset({ toolz: [] } as never)],
  ["defineToolset() needs 'tools', a list; got undefined.", () => defineToolset({} as never)],
  [
    "The template of a Prompt needs the method 'checkParams'; 'checkParams' is missing. Create one with new PromptTemplate().",
    () => new Prompt({ ns: "a" } as never),
  ],
])("%s", async (message, call) => {
  const error: unknown = await Promise.resolve()
    .then(call)
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  expect(error).toMatchObject({ code: "option-invalid", message: expect.stringContaining(message) });
});

test("without a runner, code is told what to pass, and the model is not", async () => {
  const message = "Scripts are disabled: no runner is configured.";
  const told = `${message} Pass 'scripts' to createSkillset().`;
  await expect(session.scripts.run("tea", "a.py")).rejects.toThrow(told);
  await expect(session.scripts.prepare("tea")).rejects.toThrow(told);
  expect(() => session.scripts.outputs).toThrow(told);
  const read = createOperations(session).find(({ id }) => id === "read_skill_file");
  const result = await read?.execute({ skill: "tea", path: "$OUTPUT_DIR/a.txt" });
  expect(result).toMatchObject({ isError: true, text: message });
});
