import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { defineSkill } from "../../core/skill/define-skill.ts";
import type { SkillSource } from "../../core/source/source.ts";
import { installSkills } from "../../node/install/install-skills.ts";
import { toInstallItems } from "../../node/install/native-skills.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { createSkillsServer } from "./skills-server.ts";

const LOGO = new Uint8Array([137, 80, 78, 71, 0, 255]);
const tea = defineSkill({
  name: "tea",
  description: "Makes tea.",
  body: "Read references/kinds.md.",
  files: { "references/kinds.md": "Green, black.", "assets/logo.png": LOGO },
});

test("activating a skill in code lists its files, and a model can read them", async () => {
  const session = await (await createSkillset([tea])).session();
  const { text, files } = await session.activate("tea");
  expect(files).toEqual(["assets/logo.png", "references/kinds.md"]);
  expect(text).toContain("<file>references/kinds.md</file>");
  expect((await session.files("tea").read("references/kinds.md")).content).toBe("Green, black.");
  await expect(session.files("tea").read("assets/logo.png")).rejects.toMatchObject({ code: "resource-not-text" });
  await expect(session.files("tea").read("../kinds.md")).rejects.toMatchObject({ code: "resource-outside-skill" });
});

const source: SkillSource = {
  name: "registry acme",
  list: async () => [
    {
      folder: "tea",
      skillMd: "---\nname: tea\ndescription: Makes tea.\n---\nRead references/kinds.md.\n",
      files: [
        { path: "references/kinds.md", size: 13 },
        { path: "assets/logo.png", size: 6 },
      ],
    },
  ],
  read: async (_, path) => (path === "assets/logo.png" ? LOGO : "Green, black."),
};

test.each([
  ["in code", tea],
  ["of a source", source],
])("a client of the MCP Skills extension gets the files of a skill %s, verified", async (_, input) => {
  const server = createSkillsServer(await createSkillset([input]));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  onTestFinished(() => server.close());
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(near);
  const skills = new SkillsClient(client);
  const [entry] = (await skills.list()).skills;
  if (entry === undefined || entry.resources === "dynamic") throw new Error("The skill is not listed.");
  const uris = entry.resources.map(({ uri }) => uri);
  expect(uris).toEqual(["SKILL.md", "assets/logo.png", "references/kinds.md"].map((path) => `skill://tea/${path}`));
  expect((await skills.read(entry, "assets/logo.png")).bytes).toEqual(LOGO);
  expect((await skills.read(entry)).body).toContain("Read references/kinds.md.");
});

test("the files of a skill in code are installed next to its SKILL.md, read-only", async () => {
  const target = join(temporaryFolder({}), "skills");
  const [folder = ""] = await installSkills(target, await toInstallItems([tea]));
  expect(readFileSync(join(folder, "SKILL.md"), "utf8")).toContain("name: tea");
  expect(readFileSync(join(folder, "references/kinds.md"), "utf8")).toBe("Green, black.");
  expect(new Uint8Array(readFileSync(join(folder, "assets/logo.png")))).toEqual(LOGO);
  expect(lstatSync(join(folder, "assets/logo.png")).mode & 0o777).toBe(0o444);
  expect(lstatSync(join(folder, "assets")).mode & 0o777).toBe(0o555);
});

test.each(["../escape.md", "/tmp/escape.md", "SKILL.md"])(
  "an item to install cannot have the file %s",
  async (path) => {
    const target = join(temporaryFolder({}), "skills");
    const item = { name: "tea", source: "inline", content: "---\nname: tea\n---\n", files: { [path]: "x" } } as const;
    await expect(installSkills(target, [item])).rejects.toMatchObject({ code: "skill-install-failed" });
    expect(lstatSync(target, { throwIfNoEntry: false })).toBeUndefined();
  },
);
