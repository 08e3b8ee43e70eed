import { describe, expect, test } from "vitest";
import type * as entry from "../index.ts";
import { defineSkill, type SkillSource } from "../index.ts";
import { createSkillset, standardFolders } from "../load.web.ts";
import type * as transports from "../mcp/transports.ts";
import { serveHttp, serveStdio, toNodeHandler } from "../mcp/transports.web.ts";

// Both variants have the same types: this fails to compile otherwise.
const SAME_TYPES = {
  createSkillset: createSkillset satisfies typeof entry.createSkillset,
  standardFolders: standardFolders satisfies typeof entry.standardFolders,
  serveHttp: serveHttp satisfies typeof transports.serveHttp,
  serveStdio: serveStdio satisfies typeof transports.serveStdio,
  toNodeHandler: toNodeHandler satisfies typeof transports.toNodeHandler,
};

const tea = defineSkill({ name: "brew-tea", description: "Brews tea.", body: "Boil water." });

const registry: SkillSource = {
  name: "registry",
  list: async () => [
    { folder: "cut-bread", skillMd: "---\nname: cut-bread\ndescription: >-\n  Cuts\n  bread.\n---\nCut." },
  ],
  read: async () => undefined,
};

test("skills in code, sources and other skillsets are loaded", async () => {
  const first = await createSkillset(tea);
  const skillset = await createSkillset([first, registry], { disabled: ["no-*"] });
  expect(skillset.skills.map(({ name, description }) => [name, description])).toEqual([
    ["brew-tea", "Brews tea."],
    ["cut-bread", "Cuts bread."],
  ]);
  expect((await skillset.reload()).skillset.names).toEqual(skillset.names);
});

test.each([["./skills"], [{ path: "./skills" }], [new URL("file:///skills")], [[tea, "~/skills/*"]]])(
  "the folder %j is refused with a way to load skills without one",
  async (source) => {
    const loading = createSkillset(source as Parameters<typeof createSkillset>[0]);
    await expect(loading).rejects.toMatchObject({
      code: "option-invalid",
      message: expect.stringMatching(/^Skills cannot be loaded from '.*skills.*importSkills\(\).*@skillset\/unplugin/),
    });
  },
);

test("without sources, the error says which sources there are", async () => {
  await expect(createSkillset()).rejects.toThrow(/^The standard folders need Node.*in code, from an MCP server/);
  expect(() => standardFolders()).toThrow("The standard folders need Node");
});

test.each([{ scripts: {} }, { toolsets: "in-process" }, { profile: true }])(
  "an option that needs Node is refused: %j",
  async (options) => {
    const [name] = Object.keys(options);
    await expect(createSkillset([tea], options as object)).rejects.toThrow(`The option '${name}' needs Node`);
  },
);

test("options that ask for nothing, and options of folders, are accepted", async () => {
  const options = { profile: false, toolsets: "off", cwd: "/", recursive: true } as const;
  await expect(createSkillset([tea], options as object)).resolves.toHaveProperty("size", 1);
  await expect(createSkillset([tea], { disable: ["a"] } as object)).rejects.toThrow("Did you mean 'disabled'?");
});

describe("requirements", () => {
  const needs = (metadata: Record<string, string>) =>
    defineSkill({ name: "needy", description: "Needs it.", body: "Do it.", metadata });
  const options = { env: ["API_KEY"], onProblem: () => {} };

  test.each<Record<string, string>>([
    { requires: "git" },
    { os: "linux" },
    { node: ">=20" },
    { python: ">=3" },
    { packages: "npm:sharp" },
  ])("%j is not met", async (metadata) => {
    const { entries } = await createSkillset([needs(metadata)], options);
    expect(entries).toMatchObject([{ status: "unavailable", reason: expect.stringContaining("without Node") }]);
  });

  test("variables and other skills can be met", async () => {
    const skills = [tea, needs({ env: "API_KEY", "requires-skills": "brew-tea" })];
    expect((await createSkillset(skills, options)).names).toEqual(["brew-tea", "needy"]);
    expect((await createSkillset(skills, { ...options, env: (name) => name !== "API_KEY" })).names).toEqual([
      "brew-tea",
    ]);
  });

  test("none is checked if the program says so", async () => {
    expect((await createSkillset([needs({ requires: "git" })], { requirements: false })).size).toBe(1);
  });
});

test("a source that is watched reloads the skillset", async () => {
  let change = (): void => {};
  let skills: string[] = ["a"];
  const source: SkillSource = {
    name: "changing",
    list: async () => skills.map((name) => ({ folder: name, skillMd: `---\nname: ${name}\ndescription: D.\n---\n` })),
    read: async () => undefined,
    watch: (onChange) => {
      change = onChange;
      return { close: () => {} };
    },
  };
  const skillset = await createSkillset([source]);
  const { promise, resolve } = Promise.withResolvers<readonly string[]>();
  const watcher = skillset.watch(({ changes }) => resolve(changes.added), { debounce: 1 });
  await watcher.ready;
  skills = ["a", "b"];
  change();
  expect(await promise).toEqual(["b"]);
  await watcher.close();
});

test.each(["serveHttp", "serveStdio", "toNodeHandler"] as const)("%s() says that it needs Node", (name) => {
  expect(() => (SAME_TYPES[name] as () => never)()).toThrow(`${name}() needs Node`);
});
