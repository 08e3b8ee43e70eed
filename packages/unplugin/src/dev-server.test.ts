import { globSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createLogger, createServer, type InlineConfig, type ViteDevServer } from "vite";
import { expect, onTestFinished, test, vi } from "vitest";
import { skillset } from "./index.ts";
import { type BuiltProgram, createProject, type Project } from "./testing/project.ts";

interface Running {
  readonly project: Project;
  readonly server: ViteDevServer;
  /** Loads the program as a server does: changed modules are evaluated again. */
  load(): Promise<BuiltProgram>;
}

async function start(
  files?: Readonly<Record<string, string>>,
  folder = ".",
  config: InlineConfig = { logLevel: "silent" },
): Promise<Running> {
  const project = createProject(files);
  let ready: Promise<unknown> | undefined;
  const server = await createServer({
    root: join(project.root, folder),
    configFile: false,
    ...config,
    plugins: [
      skillset.vite(),
      {
        name: "watcher-ready",
        configureServer: ({ watcher }) => {
          ready = new Promise((resolve) => watcher.once("ready", resolve));
        },
      },
    ],
    server: { port: 0, host: "127.0.0.1" },
  });
  onTestFinished(() => server.close());
  await server.listen();
  await ready;
  return { project, server, load: () => server.ssrLoadModule("/main.js") as Promise<BuiltProgram> };
}

/** Makes a change once all files of skills are watched, and waits until it is seen. */
async function seen({ project, server }: Running, change: () => void, check: () => Promise<void>): Promise<void> {
  const isWatched = (path: string) => server.watcher.getWatched()[dirname(path)]?.includes(basename(path));
  const files = globSync(join(project.root, "skills/**/*.md"));
  await vi.waitFor(() => expect(files.filter((file) => !isWatched(file))).toEqual([]));
  change();
  await vi.waitFor(check);
  // Vite's watcher drops a second change of a file within 50 milliseconds.
  await new Promise((resolve) => setTimeout(resolve, 100));
}

test("a changed SKILL.md, a changed file, a new file, a new skill and a removed skill are seen", async () => {
  const running = await start();
  const { project, load } = running;
  const before = await load();
  expect(before.names).toEqual(["pdf", "tea"]);
  const digest = await before.pdf.digest();

  await seen(
    running,
    () => project.write({ "skills/tea/SKILL.md": "---\nname: tea\ndescription: Makes green tea.\n---\nBoil.\n" }),
    async () => expect((await load()).skills[1]?.description).toBe("Makes green tea."),
  );
  expect(await (await load()).skills[1]?.instructions()).toBe("Boil.");

  await seen(
    running,
    () => project.write({ "skills/pdf/references/forms.md": "Changed." }),
    async () => {
      const { pdf } = await load();
      expect(await pdf.digest()).not.toBe(digest);
      expect(new TextDecoder().decode(await pdf.files.read("references/forms.md"))).toBe("Changed.");
    },
  );

  await seen(
    running,
    () => project.write({ "skills/pdf/references/new/more.md": "More." }),
    async () =>
      expect(new TextDecoder().decode(await (await load()).pdf.files.read("references/new/more.md"))).toBe("More."),
  );

  await seen(
    running,
    () => project.write({ "skills/coffee/SKILL.md": "---\nname: coffee\ndescription: Makes coffee.\n---\nGrind.\n" }),
    async () => expect((await load()).names).toEqual(["coffee", "pdf", "tea"]),
  );
  await seen(
    running,
    () => project.remove("skills/tea"),
    async () => expect((await load()).names).toEqual(["coffee", "pdf"]),
  );
});

test("a broken skill is an error until it is fixed", async () => {
  const running = await start();
  const { project, load } = running;
  await load();
  await seen(
    running,
    () => project.write({ "skills/tea/SKILL.md": "---\nname: tea\n---\n" }),
    async () => await expect(load()).rejects.toThrow("description-missing"),
  );
  await seen(
    running,
    () => project.write({ "skills/tea/SKILL.md": "---\nname: tea\ndescription: Fixed.\n---\n" }),
    async () => expect((await load()).skills[1]?.description).toBe("Fixed."),
  );
});

test.each(["./later?skillset", "./later/SKILL.md"])("%s is an error until it exists", async (specifier) => {
  const running = await start({ "main.js": `export { default as skills } from "${specifier}";` });
  const { project, load } = running;
  await expect(load()).rejects.toThrow("later");
  await seen(
    running,
    () => project.write({ "later/SKILL.md": "---\nname: later\ndescription: Comes later.\n---\n" }),
    async () => {
      expect(JSON.stringify((await load()).skills)).toContain("Comes later.");
    },
  );
});

test("a browser gets files in folders with any name", async () => {
  const paths = ["c#/a.md", "what?/b.md", "50%/c.md", "~23~/d.md", "語 [x]/e.md"];
  const files = paths.map((path) => [`skills/pdf/${path}`, `Content of ${path}`]);
  const { server } = await start({
    ...Object.fromEntries(files),
    "main.js": 'import pdf from "./skills/pdf/SKILL.md";\nconsole.log(pdf);',
  });
  const get = async (path: string) => (await fetch(new URL(path, server.resolvedUrls?.local[0]))).text();
  await get("/main.js");
  const code = await get("/skills/pdf/SKILL.md.skillset.js");
  for (const path of paths) {
    const name = path.slice(-4);
    const [, address = ""] = new RegExp(`import\\("([^"]+/${name}\\.skillset-file\\.js[^"]*)"\\)`).exec(code) ?? [];
    expect(await get(address), path).toContain(`Content of ${path}`);
  }
});

test.each([
  [".", "./skills?skillset"],
  ["app", "../skills?skillset"],
])("a browser gets the modules over HTTP in %s, and the page reloads after a change", async (folder, specifier) => {
  const entry = `import skills from "${specifier}";\nconsole.log(skills);`;
  const running = await start({ [join(folder, "main.js")]: entry }, folder);
  const { project, server } = running;
  const address = server.resolvedUrls?.local[0] ?? "";
  const get = async (path: string) => {
    const response = await fetch(new URL(path, address), { headers: { accept: "*/*" } });
    return { status: response.status, text: await response.text() };
  };
  const main = await get("/main.js");
  const addressOf = (code: string) => /from "([^"]+skills\.skillset\.js[^"]*)"/.exec(code)?.[1] ?? "";
  const skills = await get(addressOf(main.text));
  expect(skills.text).toContain("Makes <tea>");
  const [, forms = ""] = /import\("([^"]+forms\.md\.skillset-file\.js[^"]*)"\)/.exec(skills.text) ?? [];
  expect((await get(forms)).text).toContain("Forms.");
  const sent = vi.spyOn(server.environments.client.hot, "send");
  await seen(
    running,
    () => project.write({ "skills/pdf/references/forms.md": "Changed." }),
    async () => expect(JSON.stringify(sent.mock.calls)).toContain("full-reload"),
  );
  expect((await get(forms)).text).toContain("Changed.");
  await seen(
    running,
    () => project.write({ "skills/coffee/SKILL.md": "---\nname: coffee\ndescription: Makes coffee.\n---\nGrind.\n" }),
    async () => expect((await get(addressOf((await get("/main.js")).text))).text).toContain("Makes coffee."),
  );
});

test("the server serves only skills that modules import, and their files", async () => {
  const { server, load, project } = await start({
    "secret.txt": "SECRET",
    "skills/pdf/.env": "SECRET",
    "other/hidden/SKILL.md": "---\nname: hidden\ndescription: SECRET\n---\nSECRET\n",
  });
  await load();
  const get = async (path: string) => (await fetch(new URL(path, server.resolvedUrls?.local[0]))).text();
  expect(await get("/skills/tea/SKILL.md.skillset-file.js")).toContain("Boil water.");
  const hidden = join(project.root, "other/hidden/SKILL.md");
  const paths = [
    "/secret.txt",
    "/skills/pdf/.env",
    "/skills/notes.md",
    "/other/hidden/SKILL.md",
    hidden,
    `/@fs${hidden}`,
  ];
  for (const path of [...paths, "/@fs/etc/passwd", "/other"]) {
    for (const suffix of [".skillset-file.js", ".skillset.js", ".skillset.js?import"])
      expect(await get(path + suffix), path + suffix).not.toMatch(/SECRET|export default|root:/);
  }
  for (const path of [
    `${hidden}?import`,
    "/other/hidden/SKILL.md?import",
    `${join(project.root, "other")}?import&skillset`,
  ])
    expect(await get(path), path).not.toContain("restoreSkill");
});

test("a cold start with a page finds the packages to prepare, and logs no error", async () => {
  const errors: string[] = [];
  const customLogger = { ...createLogger("silent"), error: (text: string) => void errors.push(text) };
  const { server } = await start(
    {
      "index.html": '<script type="module" src="/main.js"></script>',
      "main.js": `import "valibot";
import pdf from "./skills/pdf/SKILL.md";
import skills from "./skills?skillset";
import aliased from "@/skills?skillset";
console.log(pdf, skills, aliased);`,
    },
    ".",
    // No other test has filled this cache.
    { customLogger, cacheDir: ".vite", resolve: { alias: { "@": "." } } },
  );
  const optimizer = server.environments.client.depsOptimizer;
  await optimizer?.scanProcessing;
  expect(errors).toEqual([]);
  expect(Object.keys(optimizer?.metadata.discovered ?? {})).toContain("valibot");
});
