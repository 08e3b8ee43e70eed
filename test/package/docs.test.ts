import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { HELP } from "../../apps/chat/server/command-line.ts";

const read = (path: string) => readFileSync(path, "utf8");
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "AGENTS.md",
  "SECURITY.md",
  "CODE_OF_CONDUCT.md",
  "packages/skillset/README.md",
  "packages/testing/README.md",
  "packages/unplugin/README.md",
  "apps/chat/README.md",
  ...globSync("packages/skillset/agent-skill/**/*.md"),
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => join("docs", path)),
];

test.each(["next/app/api/chat/route.ts", "next/app/page.tsx", "worker/worker.ts"])(
  "docs/runtimes.md quotes the recipe %s",
  (file) => expect(read("docs/runtimes.md")).toContain(read(`test/runtimes/recipes/${file}`)),
);

/** Returns the part of an example that the docs quote. */
const program = (name: string) =>
  /\/\/ #region program\n([\s\S]*?)\/\/ #endregion/.exec(read(`examples/${name}/index.ts`))?.[1] ?? "missing";

test.each([
  ["README.md", "quick-start"],
  ["README.md", "keep-a-conversation"],
  ["packages/skillset/README.md", "quick-start"],
  ["docs/tutorial.md", "tutorial"],
  ["docs/loading.md", "check-in-ci"],
  ["docs/loading.md", "watch-a-folder"],
  ["docs/loading.md", "own-source"],
  ["docs/compiled-skills.md", "compiled-skills"],
  ["docs/requirements.md", "requirements"],
  ["docs/profiles.md", "profiles"],
  ["docs/sessions.md", "hold-a-session"],
  ["docs/search.md", "search-skills"],
  ["docs/allowed-tools.md", "allowed-tools"],
  ["docs/scripts.md", "run-a-script"],
  ["docs/scripts.md", "script-secrets"],
  ["docs/scripts.md", "prepare-packages"],
  ["docs/scripts.md", "remote-session"],
  ["docs/triggers.md", "triggers"],
  ["docs/toolsets.md", "toolsets"],
  ["docs/suggestions.md", "suggest-skills"],
  ["docs/suggestions.md", "embedding-model"],
  ["docs/prompt.md", "prompt-open-a-skill"],
  ["docs/prompt.md", "prompt-install-skills"],
  ["docs/prompt.md", "prompt-agent-skills"],
  ["docs/prompt.md", "prompt-openai"],
  ["docs/prompt.md", "prompt-own-evaluator"],
  ["docs/prompt.md", "prompt-acp"],
  ["docs/prompt.md", "prompt-overrides"],
  ["docs/mcp.md", "serve-over-mcp"],
  ["docs/mcp.md", "import-over-mcp"],
  ["docs/mcp.md", "serve-with-oauth"],
  ["docs/mcp.md", "import-with-oauth"],
  ["docs/telemetry.md", "telemetry"],
  ["docs/think.md", "think"],
  ["docs/homes.md", "temporary-home"],
  ["docs/adapters.md", "ai-sdk"],
  ["docs/adapters.md", "openai-responses"],
  ["docs/adapters.md", "openai-inject"],
  ["docs/adapters.md", "openai-agents"],
  ["docs/adapters.md", "anthropic"],
  ["docs/adapters.md", "own-adapter"],
  ["docs/recipes.md", "recipe-express"],
  ["docs/recipes.md", "recipe-hono"],
  ["docs/recipes.md", "recipe-use-chat"],
  ["docs/recipes.md", "recipe-postgres"],
  ["docs/recipes.md", "recipe-sqlite"],
  ["docs/recipes.md", "recipe-tenants"],
  ["docs/recipes.md", "recipe-express-mcp"],
  ["docs/recipes.md", "recipe-scripts"],
  ["docs/recipes.md", "recipe-otlp"],
  ["docs/recipes.md", "recipe-mastra"],
  ["docs/recipes.md", "recipe-deepagents"],
])("%s quotes the example %s word for word", (page, name) => {
  expect(read(page)).toContain(program(name).trim());
});

test.each(["SKILL.md", "references/times.md", "scripts/time.sh"])(
  "docs/tutorial.md quotes %s of its skill word for word",
  (file) => {
    expect(read("docs/tutorial.md")).toContain(read(`examples/tutorial/skills/brew-tea/${file}`).trim());
  },
);

test("docs/compiled-skills.md quotes the program with compiled skills word for word", () => {
  expect(read("docs/compiled-skills.md")).toContain(read("examples/compiled-skills/app.ts").trim());
});

test.each(["SKILL.md", "toolsets/index.ts"])("docs/toolsets.md quotes %s of its skill word for word", (file) => {
  expect(read("docs/toolsets.md")).toContain(read(`examples/toolsets/skills/measure-text/${file}`).trim());
});

test("docs/tutorial.md quotes the program that runs a script word for word", () => {
  const [, text = "missing"] =
    /\/\/ #region script\n([\s\S]*?)\/\/ #endregion/.exec(read("examples/tutorial/index.ts")) ?? [];
  expect(read("docs/tutorial.md")).toContain(text.trim());
});

test("docs/claude.md quotes the program that real Claude Code runs, word for word", () => {
  const [, text = "missing"] =
    /#region program\n([\s\S]*?)\/\/ #endregion/.exec(read("test/agents/fixtures/claude-review.ts")) ?? [];
  expect(read("docs/claude.md")).toContain(text.trim());
});

test("README.md quotes the scripted model of its program word for word", () => {
  const [, model = "missing"] =
    /\/\/ #region model\n([\s\S]*?)\/\/ #endregion/.exec(read("examples/quick-start/index.ts")) ?? [];
  expect(read("README.md")).toContain(model.trim());
});

test("the README stays short", () => {
  expect(read("README.md").split("\n").length).toBeLessThan(180);
});

test("docs/README.md lists every page", () => {
  const index = read("docs/README.md");
  const listed = readdirSync("docs").filter((name) => name.endsWith(".md") && name !== "README.md");
  expect(listed.filter((name) => !index.includes(`](${name}`))).toEqual([]);
});

test.each(["packages/skillset", "packages/testing", "packages/unplugin", "apps/chat"])(
  "the README of %s on npm has no relative link",
  (folder) => {
    const links = [...read(`${folder}/README.md`).matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link as string);
    expect(links.filter((link) => !link.startsWith("https://"))).toEqual([]);
  },
);

test.each(["docs/chat.md", "apps/chat/README.md"])("%s lists every option that starts the chat differently", (page) => {
  const options = [...HELP.matchAll(/^ {2}(--[a-z-]+(?: [A-Z]+)?)/gm)].map(([, option]) => option as string);
  expect(options).toContain("--port PORT");
  const missing = options.filter((option) => option !== "--version" && !read(page).includes(`| \`${option}\` |`));
  expect(missing).toEqual([]);
});

test("docs/problems.md explains every problem code", () => {
  const codes = [...read("packages/skillset/src/core/base/problem.ts").matchAll(/^ {2}\| "([a-z0-9-]+)"/gm)].map(
    ([, code]) => code,
  );
  expect(codes.length).toBeGreaterThan(40);
  expect(codes.filter((code) => !read("docs/problems.md").includes(`\`${code}\``))).toEqual([]);
});

test.each(pages)("every link in %s has a target, and so has every anchor", (page) => {
  const links = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link as string)
    .filter((link) => !link.includes("://"));
  const dead = links.filter((link) => {
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : join(dirname(page), path);
    return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).has(anchor));
  });
  expect(dead).toEqual([]);
});

/** Headings and links inside fenced code are text. */
const withoutCode = (text: string) => text.replace(/^(```+|~~~+).*\n[\s\S]*?^\1[ \t]*$/gm, "");

/** The anchors of a page's headings, as GitHub derives them. */
function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutCode(read(page)).matchAll(/^#{1,6} +(.+?)\s*$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const base = words.replace(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");
    let anchor = base;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${base}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

test.each(["docs/architecture.md", "CONTRIBUTING.md"])("every file of the library that %s names exists", (page) => {
  const named = [
    ...read(page).matchAll(/`((?:src\/)?(?:core|node|agents|mcp|acp|prompt|cli|adapter)\/[\w/-]+\.ts)`/g),
  ].map(([, path]) => join("packages/skillset/src", (path as string).replace(/^src\//, "")));
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

describe("test/checklist.md", () => {
  const rows = [...read("test/checklist.md").matchAll(/^\| (\S+) \| (.+?) \| (.+?) \|$/gm)]
    .slice(1)
    .map(([, row, feature, files]) => ({ row, feature, files: files as string }));

  test("has rows", () => {
    expect(rows.length).toBeGreaterThan(40);
  });

  test.each(rows)("$row names tests that exist", ({ files }) => {
    for (const [, file, titles] of files.matchAll(/`([^`]+)`([^`]*)/g)) {
      expect(existsSync(file as string), file).toBe(true);
      const text = read(file as string);
      for (const [, title] of (titles as string).matchAll(/"([^"]+)"/g)) expect(text).toContain(title);
    }
  });

  test("is the only file with row numbers", () => {
    const sources = globSync("{packages,apps,test,examples}/**/*.{ts,tsx}", {
      exclude: (path) => /(?:^|[/])(?:node_modules|dist)$/.test(path),
    });
    expect(sources.length).toBeGreaterThan(300);
    expect(sources.filter((file) => /\b00[0-4]-\d{1,2}\b(?!-)/.test(read(file)))).toEqual([]);
  });
});
