import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { PROGRAM, readOrigin } from "./runtimes/next.ts";
import { MISSING, needs, versionOf } from "./runtimes/runtime.ts";
import { inRuntimes } from "./services.ts";

const ROUTE = `import pdf from "../skills/pdf/SKILL.md";
import skills from "../FOLDER?skillset";

export const dynamic = "force-dynamic";

export async function GET() {
  const forms = new TextDecoder().decode(await pdf.files.read("forms.md"));
  return Response.json([forms, ...skills.map(({ description }) => description)]);
}
`;

const CONFIG = `import { skillset, turbopackRules } from "@skillset/unplugin";

const root = process.env.WORKSPACE_ROOT;
export default {
  outputFileTracingRoot: root,
  turbopack: { root, rules: turbopackRules() },
  webpack: (config) => ({ ...config, plugins: [...config.plugins, skillset.webpack()] }),
};
`;

test.for([
  ["Turbopack", "skills/README.md"],
  ["webpack", "skills"],
] as const)("next dev with %s sees changed, new and removed skills", async ([bundler, folder], { skip }) => {
  needs(versionOf("next") !== undefined, MISSING, skip);
  const cwd = inRuntimes(`.out/next-dev-${bundler.toLowerCase()}`);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  const skill = (name: string, description: string) =>
    write(`skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: ${description}\n---\n`);
  rmSync(cwd, { recursive: true, force: true });
  write("package.json", '{ "type": "module" }');
  write("next.config.mjs", CONFIG);
  write("app/route.js", ROUTE.replace("FOLDER", folder));
  write("skills/README.md", "Skills.");
  write("skills/pdf/forms.md", "Forms.");
  skill("pdf", "Fills in forms.");
  skill("tea", "Makes tea.");

  const { NODE_ENV: _mode, ...others } = process.env;
  const env = { ...others, WORKSPACE_ROOT: inRuntimes("../.."), NEXT_TELEMETRY_DISABLED: "1" } as NodeJS.ProcessEnv;
  const server = spawn(process.execPath, [PROGRAM, "dev", `--${bundler.toLowerCase()}`, "-p", "0", "-H", "127.0.0.1"], {
    cwd,
    env,
  });
  onTestFinished(() => void server.kill());
  const origin = await readOrigin(server);
  const seen = (...expected: string[]) =>
    vi.waitFor(async () => expect(await (await fetch(origin)).json()).toEqual(expected), {
      timeout: 120_000,
      interval: 200,
    });

  await seen("Forms.", "Fills in forms.", "Makes tea.");
  skill("tea", "Makes green tea.");
  await seen("Forms.", "Fills in forms.", "Makes green tea.");
  write("skills/pdf/forms.md", "Changed.");
  await seen("Changed.", "Fills in forms.", "Makes green tea.");
  skill("coffee", "Makes coffee.");
  await seen("Changed.", "Makes coffee.", "Fills in forms.", "Makes green tea.");
  rmSync(join(cwd, "skills/tea"), { recursive: true });
  await seen("Changed.", "Makes coffee.", "Fills in forms.");
});
