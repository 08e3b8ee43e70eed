import { expect, test } from "vitest";
import { createProject } from "../../packages/unplugin/src/testing/project.ts";
import { expectChangesSeen } from "../../packages/unplugin/src/testing/watchers.ts";
import { buildWithWebpack, WATCHERS } from "./bundlers.ts";
import { MISSING, needs, versionOf } from "./runtimes/runtime.ts";

test.for(Object.entries(WATCHERS))(
  "$0 builds again when a skill is changed, added, removed, broken and fixed",
  async ([name, watch], { skip }) => {
    needs(versionOf(name.toLowerCase()) !== undefined, MISSING, skip);
    await expectChangesSeen(createProject(), watch);
  },
);

test("webpack finds skills by aliases of folders, of files, and of package.json", async ({ skip }) => {
  needs(versionOf("webpack") !== undefined, MISSING, skip);
  const project = createProject({
    "package.json": '{ "type": "module", "imports": { "#skills/*": "./skills/*" } }',
    "skills.js": "",
    "main.js": `import pdf from "@/skills/pdf/SKILL.md";
import same from "#skills/pdf/SKILL.md?skillset";
import { names as some } from "@/skills/notes.md?skillset";
import skills, { names as all } from "@/skills?skillset";
const names = [...all, ...some, same.name];
export { names, pdf, skills };`,
  });
  await buildWithWebpack(project.root, { resolve: { alias: { "@": project.root } } });
  const { names, pdf, skills } = await project.import("dist/main.js");
  expect(names).toEqual(["pdf", "tea", "pdf", "tea", "pdf"]);
  expect(await pdf.instructions()).toBe(await skills[0]?.instructions());
});

test("webpack's error for skills that it cannot find says what to import", async ({ skip }) => {
  needs(versionOf("webpack") !== undefined, MISSING, skip);
  const { root } = createProject({ "main.js": 'export { names } from "@/skills?skillset";' });
  await expect(buildWithWebpack(root)).rejects.toThrow("The bundler cannot find '@/skills'.");
});
