import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Chat, ChatSummary } from "../../apps/chat/shared/api.ts";
import type { SkillsView } from "../../apps/chat/shared/skills-api.ts";
import { readManifest } from "../../scripts/packages.ts";
import { skillMd, writeFiles } from "../temporary-folder.ts";

// What a user has: the packed packages, installed with npm, and folders with and without skills. Packs what was built,
// because building the chat again would replace the page that other tests use.
let root = "";
let environment: Record<string, string> = {};
const PACKAGES = ["packages/skillset", "packages/sandbox", "apps/chat"];
const DATA = ".skillset/chat";
const RECORDS = "home/.skillset/chat-folders";

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "skillset-npx-")));
  for (const name of ["home", "tmp", "packed", "empty"]) mkdirSync(join(root, name));
  environment = {
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: join(root, "home"),
    TMPDIR: join(root, "tmp"),
    npm_config_cache: execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim(),
    npm_config_update_notifier: "false",
    // npx asks before it installs a package.
    npm_config_yes: "true",
    npm_config_prefer_offline: "true",
    // npm would write its own cache to the folder for temporary files.
    NODE_DISABLE_COMPILE_CACHE: "1",
  };
  const pack = [
    "pack",
    "--silent",
    "--ignore-scripts",
    "--pack-destination",
    join(root, "packed"),
    ...PACKAGES.flatMap((one) => ["-w", one]),
  ];
  execFileSync("npm", pack, { stdio: "ignore" });
  const packed = readdirSync(join(root, "packed")).map((name) => join(root, "packed", name));
  expect(packed).toHaveLength(3);
  writeFileSync(join(root, "package.json"), '{ "private": true }');
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  execFileSync("npm", ["install", ...options, ...packed], { cwd: root, env: environment, stdio: "inherit" });
  writeFiles(join(root, "tea"), {
    // The embedded sandbox is from npm, unlike the one that the default would choose on some machines.
    "config.toml": '[app.skills]\nenabled = true\nscripts = "embedded"\n',
    ".agents/skills/tea/SKILL.md": skillMd("tea", "Brews tea. Use when asked for tea.", "Tea needs three minutes.\n"),
    ".skills/rivers/SKILL.md": skillMd(
      "rivers",
      "Names rivers.",
      "Run `scripts/name.sh Rhine` and report its output.\n",
    ),
    ".skills/rivers/scripts/name.sh": 'echo "a river: $1"\n',
  });
  execFileSync("npx", ["skillset", "trust", "--yes"], { cwd: join(root, "tea"), env: environment, stdio: "ignore" });
}, 240_000);

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs `npx @skillset/chat` to its end. */
function runChat(folder: string, ...given: readonly string[]) {
  const cwd = join(root, folder);
  return spawnSync("npx", ["@skillset/chat", ...given], { cwd, env: environment, encoding: "utf8" });
}

/** Runs `npx @skillset/chat` as a terminal does, until it prints its address. */
function startChat(folder: string, ...given: readonly string[]) {
  return startWithNpx(join(root, folder), ["@skillset/chat", ...given]);
}

async function startWithNpx(cwd: string, given: readonly string[]) {
  const child = spawn("npx", given, { cwd, env: environment, detached: true });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  /** Ctrl-C signals every process of the terminal. */
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), signal);
    await ended;
  };
  onTestFinished(() => end("SIGKILL"));
  let stderr = "";
  child.stderr.on("data", (data) => {
    stderr += data;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (data) => resolve(String(data).trim()));
    void ended.then(() => reject(new Error(stderr)));
  });
  const get = async <Body>(path: string) => (await (await fetch(`${url}${path}`)).json()) as Body;
  const post = (path: string, body?: unknown) =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const say = (chat: string, id: string, text: string) =>
    post(`api/chats/${chat}/turn`, {
      message: { id, role: "user", parts: [{ type: "text", text }] },
      modelId: "offline",
    });
  return { url, get, post, say, end, stderr: () => stderr };
}

/** All files outside the folders in which chats are stored and recorded, with size and time. */
function otherFiles(): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.includes(`${DATA}/`) && !path.startsWith(RECORDS))
    .map((path) => `${path} ${statSync(join(root, path)).size} ${statSync(join(root, path)).mtimeMs}`)
    .sort();
}

describe("npx @skillset/chat", () => {
  test("uses the skills of the folder, answers, runs a script after consent, and writes only to .skillset/chat and a record of it", async () => {
    const before = otherFiles();
    const chat = await startChat("tea", "--port", "0", "--config", "config.toml");
    expect(await (await fetch(chat.url)).text()).toContain('<div id="root">');
    const { rows, problems } = await chat.get<SkillsView>("api/skills");
    expect(rows.map(({ name, state }) => `${name} ${state}`)).toEqual(["tea enabled", "rivers enabled"]);
    expect(problems).toEqual([]);

    const { id } = (await (await chat.post("api/chats")).json()) as ChatSummary;
    expect(await (await chat.say(id, "m1", "How do I brew tea?")).text()).toContain("Tea needs three minutes.");
    const answer = chat.say(id, "m2", "/rivers");
    const load = () => chat.get<Chat>(`api/chats/${id}`);
    await expect.poll(async () => (await load()).script?.state, { timeout: 15_000 }).toBe("asking");
    const { call, level } = (await load()).script ?? {};
    expect(level).toBe("embedded");
    expect((await chat.post(`api/chats/${id}/consent`, { call, answer: "once" })).status).toBe(204);
    expect(await (await answer).text()).toContain("a river: Rhine");

    await chat.end("SIGINT");
    await expect(fetch(chat.url)).rejects.toThrow();
    const own = [".gitignore", "id", "postgres", "reserve", "script-files"];
    expect(readdirSync(join(root, "tea", DATA)).sort()).toEqual(own);
    expect(readdirSync(join(root, RECORDS))).toEqual([readFileSync(join(root, "tea", DATA, "id"), "utf8")]);
    expect(otherFiles()).toEqual(before);
  }, 240_000);

  test("runs in two folders at once, says how to add a skill, and refuses a used port and a used folder", async () => {
    const first = await startChat("tea", "--port", "0");
    const { port } = new URL(first.url);
    const used = runChat("empty", "--port", port);
    expect(used.status).toBe(1);
    expect(used.stderr).toContain(`127.0.0.1:${port}: the port is in use. Set --port or PORT to another port`);

    const second = await startChat("empty", "--port", "0");
    expect(second.stderr()).toContain("run 'npx skillset new my-skill --dir ~/.agents/skills'");
    expect(second.stderr()).toContain(`Chats are stored in ${join(root, "empty", DATA)}.`);
    writeFiles(join(root, "empty"), { ".agents/skills/jam/SKILL.md": skillMd("jam") });
    const names = async () => (await second.get<SkillsView>("api/skills")).rows.map(({ name }) => name);
    await expect.poll(names, { timeout: 15_000 }).toEqual(["jam"]);

    const third = runChat("empty", "--port", "0");
    expect(third.status).toBe(1);
    expect(third.stderr).toMatch(/is in use by process \d+/);
    await Promise.all([first.end("SIGINT"), second.end("SIGINT")]);
    expect(existsSync(join(root, "empty", DATA, "lock"))).toBe(false);
  }, 240_000);

  test("starts from the tarball alone, and says how to unlock the skills of the folder", async () => {
    // Outside the folder in which the other packages are installed.
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "skillset-alone-")));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
      // npx would keep what it installed.
      for (const file of globSync(`${environment.npm_config_cache}/_npx/*/package.json`))
        if (readFileSync(file, "utf8").includes(basename(folder))) rmSync(dirname(file), { recursive: true });
    });
    const tarball = `skillset-chat-${readManifest("apps/chat").version}.tgz`;
    cpSync(join(root, "packed", tarball), join(folder, tarball));
    writeFiles(folder, { "skills/jam/SKILL.md": skillMd("jam") });
    // npx remembers what it installed for a relative path, whatever the folder.
    const chat = await startWithNpx(folder, ["-p", join(folder, tarball), "skillset-chat", "--port", "0"]);
    expect((await chat.get<SkillsView>("api/skills")).rows).toMatchObject([{ name: "jam", state: "locked" }]);
    expect(chat.stderr()).toContain("1 skill of this project is locked. Review them, then run 'npx skillset trust'.");
    await chat.end("SIGINT");
  }, 240_000);

  test("contains the licenses of the code that it bundles, and no sources or source maps", () => {
    const folder = join(root, "node_modules/@skillset/chat");
    const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
    expect(paths).toEqual(expect.arrayContaining(["LICENSE", "README.md", "config.toml"]));
    expect(paths.filter((path) => /\.(?:tsx?|map)$/.test(path))).toEqual([]);
    const licenses = (path: string) => readFileSync(join(folder, path, "licenses.md"), "utf8");
    for (const name of ["ai", "hono", "js-yaml", "pg"]) expect(licenses("dist/server")).toContain(`## ${name} - `);
    for (const name of ["react", "react-markdown"]) expect(licenses("web/dist")).toContain(`## ${name} - `);
  });

  test("prints its version, and settings that it accepts", () => {
    expect(runChat("tea", "--version").stdout.trim()).toBe(readManifest("apps/chat").version);
    expect(runChat("tea", "--print-config").stdout).toContain("[app.skills]\nenabled = true");
  });

  test("names the file and the line of a mistake in the settings", () => {
    const file = join(root, "wrong.toml");
    writeFileSync(file, "[server]\nport = 'many'\n");
    const { status, stderr } = runChat("tea", "--config", "../wrong.toml");
    expect(status).toBe(1);
    expect(stderr.trim().split("\n").at(-1)).toBe(
      `${file}:2: 'server.port' must be an integer from 0 to 65535, not "many".`,
    );
  });

  test("refuses Node before 22.12 with a readable message", () => {
    const old = `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"22.11.0"})`;
    const program = join(root, "node_modules/@skillset/chat/bin/skillset-chat.js");
    const { status, stderr } = spawnSync(process.execPath, ["--import", old, program], { encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toBe("@skillset/chat needs Node 22.12 or newer; this is 22.11.0.\n");
  });
});
