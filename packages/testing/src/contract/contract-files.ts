import assert from "node:assert/strict";
import type { SessionOptions } from "skillset";
import type { ContractAdapter, ContractScenario } from "./contract-adapter.ts";
import { converse, lastRequest, resultsIn, withFolder } from "./contract-conversation.ts";

/** Results of reading a skill's files. */
export const fileScenarios: readonly ContractScenario[] = [
  {
    id: "file",
    title: "A skill's file is returned unchanged",
    run: (adapter) => readFile(adapter, "references/kinds.md", FILES["guide/references/kinds.md"]),
  },
  {
    id: "file-listed",
    title: "Activating a skill lists its files without their location",
    run: (adapter) =>
      withFolder(FILES, (folder) => {
        const script = [{ call: "activate_skill", input: { name: "guide" } }, { say: "Done." }];
        return converse(adapter, { skills: [folder], script }, async ({ agent, model }) => {
          assert.equal(await agent.say("Guide me."), "Done.");
          const [text = ""] = resultsIn(lastRequest(model));
          assert.ok(text.includes("<file>references/kinds.md</file>"), text);
          assert.ok(!JSON.stringify(model.requests.map(({ body }) => body)).includes(folder));
        });
      }),
  },
  {
    id: "file-absolute",
    title: "An absolute path is refused",
    run: (adapter) => readFile(adapter, "/etc/passwd", "Path must be relative to the skill."),
  },
  {
    id: "file-climbing",
    title: "A path that leaves the skill is refused",
    run: (adapter) => readFile(adapter, "references/../../other.md", "Path traversal is not allowed."),
  },
  {
    id: "file-missing",
    title: "A file that does not exist is a one-line error",
    run: (adapter) => readFile(adapter, "references/none.md", /^[^\n]*'references\/none\.md'[^\n]*\.$/),
  },
  {
    id: "file-cut",
    title: "A long file is cut, with a notice that contains the number of removed bytes",
    run: (adapter) => {
      const cut = "Green, b\n\n[The file is cut here: 17 of 25 bytes were removed.]";
      return readFile(adapter, "references/kinds.md", cut, { resourceBytes: 8 });
    },
  },
];

const FILES = {
  "guide/SKILL.md":
    "---\nname: guide\ndescription: Guides people. Use when asked for a guide.\n---\n\nRead the references.\n",
  "guide/references/kinds.md": "Green, black, and oolong.",
  "other.md": "A file of somebody else.",
} as const;

/** Makes the model read a file, and compares the result. */
function readFile(
  adapter: ContractAdapter,
  path: string,
  expected: string | RegExp,
  limits: SessionOptions["limits"] = {},
): Promise<void> {
  return withFolder(FILES, (folder) => {
    const script = [{ call: "read_skill_file", input: { skill: "guide", path } }, { say: "Done." }];
    return converse(adapter, { skills: [folder], session: { limits }, script }, async ({ agent, model }) => {
      assert.equal(await agent.say("Read it."), "Done.");
      const [text = "", ...others] = resultsIn(lastRequest(model));
      assert.deepEqual(others, []);
      if (typeof expected === "string") assert.equal(text, expected);
      else assert.match(text, expected);
      assert.ok(!JSON.stringify(lastRequest(model).body).includes(folder), "A path of the machine was sent.");
    });
  });
}
