import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { createSkillset } from "../node/load/create-skillset.ts";
import { createOperations } from "./in-session.ts";
import type { OperationOptions } from "./operations/bind-operations.ts";
import { defineSkill } from "./skill/define-skill.ts";

const invoices = defineSkill({
  name: "invoices",
  description: "Explains.",
  body: "Use find.",
  tools: [{ name: "find", description: "Finds", handler: (input) => input }],
});

async function open(options: OperationOptions = {}) {
  const root = temporaryFolder({ "pdf/SKILL.md": skillMd("pdf"), "pdf/references/a.md": "A" });
  const session = await (await createSkillset([root, invoices])).session();
  const operations = createOperations(session, options);
  const execute = (name: string, input: unknown) => {
    const operation = operations.find((candidate) => candidate.name === name);
    if (operation === undefined) throw new Error(`no operation ${name}`);
    return operation.execute(input);
  };
  return { operations, execute, session };
}

describe("operations", () => {
  test("are three by default, none for an empty set, and more on request", async () => {
    const { operations } = await open();
    expect(operations.map(({ name }) => name)).toEqual(["activate_skill", "read_skill_file", "call_skill_tool"]);
    expect(createOperations(await (await createSkillset([])).session())).toEqual([]);
    expect(
      (await open({ include: ["activate_skill", "deactivate_skill"] })).operations.map(({ name }) => name),
    ).toEqual(["activate_skill", "deactivate_skill"]);
  });

  test("have names as an enum while they are few", async () => {
    const { operations } = await open();
    expect(operations[0]?.inputSchema).toMatchObject({
      properties: { name: { type: "string", enum: ["pdf", "invoices"] } },
      required: ["name"],
    });
    const many = await open({ maxEnumNames: 1 });
    expect(many.operations[0]?.inputSchema).not.toMatchObject({ properties: { name: { enum: expect.anything() } } });
  });

  test("take any JSON as a tool's input", async () => {
    const { operations } = await open();
    expect(operations[2]?.inputSchema).toMatchObject({ properties: { input: { description: expect.any(String) } } });
    expect(JSON.stringify(operations[2]?.inputSchema)).not.toContain('"input":{"type"');
  });

  test("return text for models and data for code", async () => {
    const { execute } = await open();
    expect(await execute("activate_skill", { name: "pdf" })).toMatchObject({
      isError: false,
      text: expect.stringContaining('<skill_content name="pdf">'),
      data: { name: "pdf", truncated: false },
    });
    expect(await execute("read_skill_file", { skill: "pdf", path: "references/a.md" })).toMatchObject({
      isError: false,
      text: "A",
      data: { skill: "pdf", path: "references/a.md", content: "A" },
    });
    expect(await execute("call_skill_tool", { skill: "invoices", tool: "find", input: { a: 1 } })).toMatchObject({
      isError: false,
      text: '{"a":1}',
      data: { result: { a: 1 } },
    });
  });

  test.each([
    ["activate_skill", { name: "pfd" }, "skill-not-found"],
    ["activate_skill", {}, "option-invalid"],
    ["activate_skill", null, "option-invalid"],
    ["read_skill_file", { skill: "pdf", path: 7 }, "option-invalid"],
    ["read_skill_file", { skill: "pdf", path: "../x" }, "resource-outside-skill"],
    ["call_skill_tool", { skill: "pdf", tool: "x", input: 1 }, "tool-not-found"],
  ])("%s with %j is an error result, not an exception", async (name, input, code) => {
    const { execute } = await open();
    expect(await execute(name, input)).toMatchObject({ isError: true, code, text: expect.any(String) });
  });

  test("an alias renames an operation and its arguments, and data keeps its names", async () => {
    const { operations, execute } = await open({
      include: ["activate_skill", "read_skill_file"],
      aliases: {
        activate_skill: { name: "skills_activate", title: "skills.activate" },
        read_skill_file: { name: "skills_read_resource", title: "skills.readResource", arguments: { skill: "name" } },
      },
    });
    expect(operations.map(({ name, title }) => [name, title])).toEqual([
      ["skills_activate", "skills.activate"],
      ["skills_read_resource", "skills.readResource"],
    ]);
    expect(operations[1]?.inputSchema).toMatchObject({ required: ["name", "path"] });
    expect(await execute("skills_read_resource", { name: "pdf", path: "references/a.md" })).toMatchObject({
      isError: false,
      data: { skill: "pdf", path: "references/a.md", content: "A", truncated: false },
    });
    expect(await execute("skills_read_resource", { skill: "pdf", path: "references/a.md" })).toMatchObject({
      isError: true,
    });
  });

  test("accept `skill_name` and `tool_name`, unless the argument's own name is used", async () => {
    const { execute, operations } = await open();
    expect(await execute("activate_skill", { skill_name: "pdf" })).toMatchObject({ data: { name: "pdf" } });
    expect(await execute("activate_skill", { name: "pdf", skill_name: "x" })).toMatchObject({ data: { name: "pdf" } });
    const file = { skill_name: "pdf", path: "references/a.md" };
    expect(await execute("read_skill_file", file)).toMatchObject({ data: { content: "A" } });
    await execute("activate_skill", { name: "invoices" });
    const call = { skill_name: "invoices", tool_name: "find", input: "7" };
    expect(await execute("call_skill_tool", call)).toMatchObject({ isError: false, text: "7" });
    expect(JSON.stringify(operations)).not.toContain("skill_name");
  });

  test("do not accept `skill_name` for the skill if another argument has that name", async () => {
    const alias = { name: "call", arguments: { tool: "skill_name" } };
    const { execute } = await open({ aliases: { call_skill_tool: alias } });
    expect(await execute("call", { skill_name: "invoices", input: 1 })).toMatchObject({ isError: true });
  });

  test("are not mentioned among a skill's tools", async () => {
    const { execute } = await open();
    const result = await execute("activate_skill", { name: "invoices" });
    expect(result.text).not.toContain("activate_skill");
  });
});

test.each([
  [{ activate_skill: { name: "bad name" } }],
  [{ activate_skill: { name: "x".repeat(65) } }],
  [{ activate_skill: { name: "read_skill_file" } }],
])("%j is not a valid operation name", async (aliases) => {
  const one = defineSkill({ name: "one", description: "One.", body: "One." });
  const session = await (await createSkillset([one])).session();
  expect(() => createOperations(session, { aliases })).toThrow(expect.objectContaining({ code: "option-invalid" }));
});
