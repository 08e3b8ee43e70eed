import { join } from "node:path";
import { context } from "esbuild";
import { watch as watchWithRolldown } from "rolldown";
import { build } from "vite";
import { expect, vi } from "vitest";
import { skillset } from "../index.ts";
import type { Project } from "./project.ts";

/** Builds `main.js` of a project into `dist/` again after each change, until it is closed. */
export type Watch = (root: string, onFailure: () => void) => Promise<{ close(): unknown }>;

const external = ["skillset"];

export const WATCHERS: Readonly<Record<string, Watch>> = {
  esbuild: async (root, onFailure) => {
    const watching = await context({
      absWorkingDir: root,
      entryPoints: ["main.js"],
      outdir: "dist",
      bundle: true,
      splitting: true,
      format: "esm",
      external,
      logLevel: "silent",
      plugins: [
        skillset.esbuild(),
        {
          name: "failures",
          setup: ({ onEnd }) => onEnd(({ errors }) => (errors.length > 0 ? onFailure() : undefined)),
        },
      ],
    });
    await watching.watch();
    return { close: () => watching.dispose() };
  },
  Rolldown: async (root, onFailure) => {
    const watcher = watchWithRolldown({
      cwd: root,
      input: "main.js",
      external,
      logLevel: "silent",
      plugins: [skillset.rolldown()],
      output: { dir: join(root, "dist") },
    });
    watcher.on("event", ({ code }) => (code === "ERROR" ? onFailure() : undefined));
    return watcher;
  },
  "vite build --watch": async (root, onFailure) => {
    const watcher = await build({
      root,
      configFile: false,
      logLevel: "silent",
      plugins: [skillset.vite()],
      build: { watch: {}, lib: { entry: "main.js", formats: ["es"], fileName: "main" }, rolldownOptions: { external } },
    });
    if (!("on" in watcher)) throw new Error("Vite does not watch.");
    watcher.on("event", ({ code }) => (code === "ERROR" ? onFailure() : undefined));
    return watcher;
  },
};

/** Changes, adds and removes skills and their files, and waits for each change in the built program. */
export async function expectChangesSeen(project: Project, watch: Watch): Promise<void> {
  const onFailure = vi.fn();
  const watching = await watch(project.root, onFailure);
  const seen = (check: (program: Awaited<ReturnType<Project["import"]>>) => void | Promise<void>) =>
    vi.waitFor(async () => await check(await project.import("dist/main.js")), { timeout: 20_000, interval: 100 });
  try {
    await seen(({ names }) => expect(names).toEqual(["pdf", "tea"]));

    project.write({ "skills/tea/SKILL.md": "---\nname: tea\ndescription: Makes green tea.\n---\nBoil.\n" });
    await seen(async ({ skills }) => {
      expect(skills[1]?.description).toBe("Makes green tea.");
      expect(await skills[1]?.instructions()).toBe("Boil.");
    });

    project.write({ "skills/pdf/references/forms.md": "Changed." });
    await seen(async ({ pdf }) =>
      expect(new TextDecoder().decode(await pdf.files.read("references/forms.md"))).toBe("Changed."),
    );

    project.write({ "skills/pdf/references/more.md": "More." });
    await seen(async ({ pdf }) =>
      expect(new TextDecoder().decode(await pdf.files.read("references/more.md"))).toBe("More."),
    );

    project.write({ "skills/coffee/SKILL.md": "---\nname: coffee\ndescription: Makes coffee.\n---\nGrind.\n" });
    await seen(({ names }) => expect(names).toEqual(["coffee", "pdf", "tea"]));

    project.remove("skills/tea");
    await seen(({ names }) => expect(names).toEqual(["coffee", "pdf"]));

    onFailure.mockClear();
    project.write({ "skills/coffee/SKILL.md": "---\nname: coffee\n---\n" });
    await vi.waitFor(() => expect(onFailure).toHaveBeenCalled(), { timeout: 20_000, interval: 100 });
    project.write({ "skills/coffee/SKILL.md": "---\nname: coffee\ndescription: Fixed.\n---\n" });
    await seen(({ skills }) => expect(skills[0]?.description).toBe("Fixed."));
  } finally {
    await watching.close();
  }
}
