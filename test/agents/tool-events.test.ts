import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ThinkEvent } from "../../packages/skillset/src/acp/index.ts";
import type { ToolCall } from "../../packages/testing/src/model/script.ts";
import { PATIENCE } from "../acp/agent-under-test.ts";
import { ACP_AGENTS } from "./fixtures/acp/all.ts";
import { underTest } from "./fixtures/acp/under-test.ts";
import { needsAgents } from "./installed.ts";

needsAgents();

/** How each agent's model reads a file and replaces a word in it, with the agent's own tools. */
const CALLS: Readonly<Record<string, (file: string) => readonly ToolCall[]>> = {
  claude: (file) => [
    { call: "Read", input: { file_path: file } },
    { call: "Edit", input: { file_path: file, old_string: "Tea", new_string: "Green tea" } },
  ],
  opencode: (file) => [
    { call: "read", input: { filePath: file } },
    { call: "edit", input: { filePath: file, oldString: "Tea", newString: "Green tea" } },
  ],
  gemini: (file) => [
    { call: "read_file", input: { file_path: file } },
    { call: "replace", input: { file_path: file, old_string: "Tea", new_string: "Green tea", instruction: "Replace" } },
  ],
  pi: (file) => [{ call: "read", input: { path: file } }],
  codex: (file) => [{ call: "exec_command", input: { cmd: `cat '${file}'` } }],
};

/**
 * The adapter of pi compares a file before and after a change, and misses the change if pi is faster. The edits of codex
 * are freeform calls, which the scripted model does not have.
 */
const WITHOUT_CHANGES: ReadonlySet<string> = new Set(["pi", "codex"]);

const place = (file: string) => [expect.objectContaining({ path: file })];

test.each(ACP_AGENTS.filter(({ name }) => !WITHOUT_CHANGES.has(name)))(
  "$name reports the kind and place of its tool calls, and what they change",
  async (agent) => {
    const { file, events } = await toolEventsOf(agent);
    expect(events[0]).toMatchObject({ kind: "read", outcome: "succeeded", locations: place(file) });
    expect(events[1]).toMatchObject({ kind: "edit", outcome: "succeeded", locations: place(file) });
    const [diff] = events[1]?.contents.filter((content) => content.type === "diff") ?? [];
    expect(diff).toMatchObject({ path: file, truncated: false });
    expect(diff?.oldText).toMatch(/\bTea\b/);
    expect(diff?.newText).toMatch(/Green tea/);
  },
);

test.each(ACP_AGENTS.filter(({ name }) => WITHOUT_CHANGES.has(name)))(
  "$name reports the kind and place of reading a file",
  async (agent) => {
    const { file, events } = await toolEventsOf(agent);
    expect(events[0]).toMatchObject({ kind: "read", outcome: "succeeded", locations: place(file) });
  },
);

async function toolEventsOf(agent: (typeof ACP_AGENTS)[number]) {
  // The folder is known only after the start.
  let file = "";
  const calls = (CALLS[agent.name]?.("") ?? []).map(
    (_, index) => () => CALLS[agent.name]?.(file)[index] ?? { say: "" },
  );
  await using started = await underTest(agent).start([...calls, { say: "Done." }]);
  file = join(started.cwd, "notes.md");
  writeFileSync(file, "One\nTea\nTwo\n");
  const stream = started.agent
    .think()
    .text("Make it green.")
    .permissions({ allow: ["read", "edit", "execute"] })
    .timeout(PATIENCE)
    .stream({ include: ["tool-done"] });
  const events: Extract<ThinkEvent, { type: "tool-done" }>[] = [];
  for await (const event of stream) events.push(event);
  return { file, events };
}
