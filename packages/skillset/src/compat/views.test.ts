import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import type { StoredSkill } from "../core/skill/skill.ts";
import { createSkillset } from "../node/load/create-skillset.ts";
import { toDiscoveredSkill, toSkillMetadata, toSkillRecord } from "./views.ts";

test("a stored skill is seen as metadata, record or discovered skill", async () => {
  const folder = temporaryFolder({
    "a/SKILL.md": "---\nname: a\ndescription: D\nlicense: MIT\nallowed-tools: Read Write\nmetadata:\n  x: y\n---\n",
  });
  const a = (await createSkillset([folder])).get("a") as StoredSkill;
  const path = join(folder, "a");
  expect(toSkillMetadata(a)).toEqual({
    name: "a",
    description: "D",
    path,
    license: "MIT",
    allowedTools: ["Read", "Write"],
    metadata: { x: "y" },
  });
  expect(toSkillRecord(a)).toEqual({
    name: "a",
    description: "D",
    license: "MIT",
    metadata: { x: "y" },
    allowedTools: "Read Write",
    skillDir: path,
    skillMdPath: join(path, "SKILL.md"),
    sourceDir: folder,
  });
  expect(toDiscoveredSkill(a)).toEqual({
    manifest: { name: "a", description: "D", license: "MIT", metadata: { x: "y" }, "allowed-tools": "Read Write" },
    path,
    skillMdPath: join(path, "SKILL.md"),
    source: "given",
  });
});
