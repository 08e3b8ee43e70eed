import {
  Client,
  type ClientOptions,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { OPERATION_IDS } from "../../core/operations/all.ts";
import type { OperationId } from "../../core/operations/operation-data.ts";
import { defineSkill } from "../../core/skill/define-skill.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { createSkillsServer } from "./skills-server.ts";

const FILES = {
  "tea/SKILL.md": skillMd("tea", "Makes tea.", "TEA-BODY"),
  "tea/leaves.md": "Green.",
  "tea/scripts/brew.sh": 'echo brewing; echo hot > "$OUTPUT_DIR/cup.txt"\n',
};
const COFFEE = defineSkill({
  name: "coffee",
  description: "Makes coffee.",
  body: "COFFEE-BODY",
  tools: [{ name: "grind", description: "Grinds.", inputSchema: { type: "object" }, handler: () => "ground" }],
});

/** More than the instructions name, so that the model can search. */
const SHELVES = Array.from({ length: 250 }, (_, index) =>
  defineSkill({ name: `shelf-${index}`, description: `Knows the books on shelf ${index}.`, body: "Look." }),
);

/** A call of each operation, and what its result contains. */
const CALLS: Readonly<Record<OperationId, readonly [Record<string, unknown>, string]>> = {
  activate_skill: [{ name: "tea" }, "TEA-BODY"],
  read_skill_file: [{ skill: "tea", path: "leaves.md" }, "Green."],
  call_skill_tool: [{ skill: "coffee", tool: "grind", input: {} }, "ground"],
  run_skill_script: [{ skill: "tea", script: "scripts/brew.sh" }, "brewing"],
  search_skills: [{ query: "tea" }, "Makes tea."],
  deactivate_skill: [{ name: "tea" }, "Skill 'tea' was not active."],
};

const WAYS = (["connection", "HTTP"] as const).flatMap((transport) =>
  (["legacy", "modern"] as const).flatMap((era) => [true, false].map((hasScripts) => ({ transport, era, hasScripts }))),
);

describe.each(WAYS)("over $transport, in the $era era, with scripts: $hasScripts", ({ transport, era, hasScripts }) => {
  async function connect(): Promise<Client> {
    const scripts = hasScripts && { scripts: { runner: "subprocess" as const } };
    const skillset = await createSkillset([temporaryFolder(FILES), COFFEE, ...SHELVES], { ...scripts });
    const server = createSkillsServer(skillset, { operations: { include: OPERATION_IDS }, allowScripts: ["tea"] });
    const options: ClientOptions = { versionNegotiation: { mode: era === "legacy" ? "legacy" : "auto" } };
    const client = new Client({ name: "test", version: "1.0.0" }, options);
    onTestFinished(async () => {
      await client.close();
      await server.close();
    });
    if (transport === "HTTP") {
      const fetch = (url: URL | string, init?: RequestInit) => server.fetch(new Request(url, init));
      await client.connect(new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch }));
    } else {
      const [near, far] = InMemoryTransport.createLinkedPair();
      await server.connect(far);
      await client.connect(near);
    }
    expect(client.getProtocolEra()).toBe(era);
    return client;
  }

  test.each(OPERATION_IDS)("'%s' returns its result; without scripts, none can be run", async (id) => {
    const client = await connect();
    const { tools } = await client.listTools();
    const isListed = tools.some(({ name }) => name === id);
    expect(isListed).toBe(hasScripts || id !== "run_skill_script");
    const [input, expected] = CALLS[id];
    if (!isListed) {
      await expect(client.callTool({ name: id, arguments: input })).rejects.toThrow("There is no tool");
      return;
    }
    const result = await client.callTool({ name: id, arguments: input });
    const [first, ...files] = result.content as { text?: string }[];
    expect(result.isError ?? false).toBe(false);
    expect(first?.text).toContain(expected);
    // Only a script's result has the files that were written, and only where no later call can read them.
    expect(files).toHaveLength(id === "run_skill_script" && transport === "HTTP" ? 1 : 0);
  });
});
