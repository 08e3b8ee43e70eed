import { once } from "node:events";
import { chmodSync, mkdirSync, statSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { startScriptedModel } from "@skillset/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../test/temporary-folder.ts";
import type { Chat, ChatSummary } from "../shared/api.ts";
import { addressLine } from "./start.ts";
import { fillDataFolder } from "./testing/memory-database.ts";
import { type Program, post, question, scriptedSettings, startProgram } from "./testing/start-program.ts";

describe("the program", () => {
  test("S17: starts, keeps acknowledged data after kill -9, refuses a second process, and shuts down cleanly", async () => {
    const late = () => new Promise<{ say: string }>((resolve) => setTimeout(() => resolve({ say: "At last." }), 700));
    const script = [{ say: "Hi." }, { hang: true as const }, { say: "Noted." }, late];
    const model = await startScriptedModel(script, { isSide: () => false, pace: "global" });
    onTestFinished(() => model.close());
    const project = temporaryFolder({
      "config.toml": scriptedSettings(model),
      ".skills/notes/SKILL.md": skillMd("notes"),
    });

    const first = await startProgram(project);
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(first.output().stdout.trim().split("\n")).toHaveLength(1);
    expect(first.output().stderr).toContain("Opening the database…");
    const [, token = ""] = /shown only once\): (\S+)/.exec(first.output().stderr) ?? [];
    const isAdmin = async ({ url }: Program) => {
      const state = await fetch(`${url}api/state`, { headers: { authorization: `Bearer ${token}` } });
      return ((await state.json()) as { isAdmin: boolean }).isAdmin;
    };
    expect(await isAdmin(first)).toBe(true);

    const second = await startProgram(project);
    expect(await second.exit).toBe(1);
    expect(second.output().stderr).toContain(`is in use by process ${first.child.pid}`);

    const { id } = (await (await post(`${first.url}api/chats`)).json()) as ChatSummary;
    await (await post(`${first.url}api/chats/${id}/turn`, question("m1", "Hello"))).text();
    // Acknowledged: the answer has started, and never ends.
    await post(`${first.url}api/chats/${id}/turn`, question("m2", "Are you there?"));
    await expect.poll(() => model.requests.length).toBe(2);
    first.child.kill("SIGKILL");
    await first.exit;

    const third = await startProgram(project);
    expect(third.output().stderr).not.toContain("Admin token");
    expect(await isAdmin(third)).toBe(true);
    const chat = (await (await fetch(`${third.url}api/chats/${id}`)).json()) as Chat;
    expect(chat.messages.map(({ id: own, role }) => (role === "user" ? own : role))).toEqual([
      "m1",
      "assistant",
      "m2",
      "assistant",
    ]);
    expect(chat.messages.at(-1)).toMatchObject({ parts: [], metadata: { isCut: true } });
    expect(chat.isAnswering).toBe(false);

    const again = { ...question("m3", "/notes"), replaceFrom: "m2" };
    expect(await (await post(`${third.url}api/chats/${id}/turn`, again)).text()).toContain("Noted.");
    const events = await fetch(`${third.url}api/events`);
    const slow = await post(`${third.url}api/chats/${id}/turn`, question("m4", "Take your time"));
    third.child.kill("SIGTERM");
    expect(await slow.text()).toContain("At last.");
    expect(await third.exit).toBe(0);
    await events.body?.cancel();
  }, 120_000);

  test("a start that cannot listen creates no admin token: the first one that listens shows it", async () => {
    const busy = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void busy.close());
    await once(busy, "listening");
    const { port } = busy.address() as AddressInfo;
    const project = temporaryFolder({ "config.toml": "[database]\nfolder = 'data'" });
    await fillDataFolder(`${project}/data`);
    const failed = await startProgram(project, { PORT: String(port) });
    expect(await failed.exit).toBe(1);
    expect(failed.output().stderr).toContain("the port is in use");
    expect(failed.output().stderr).not.toContain("token");

    const { url, output } = await startProgram(project);
    const [, token = ""] = /shown only once\): (\S+)/.exec(output().stderr) ?? [];
    const scan = (given: string) =>
      fetch(`${url}api/skills/rescan`, { method: "POST", headers: { authorization: `Bearer ${given}` } });
    expect(await (await scan(token)).text()).toContain("Skills are disabled");
    expect(await (await scan("another-token")).text()).toContain("restart the server with ADMIN_TOKEN");
    expect(output().stderr).toContain("Skills are disabled.");
  });

  test("S17: restricts a data folder that was open to other users, and refuses one that contains other files", async () => {
    const project = temporaryFolder({ "config.toml": "", "shared/notes.txt": "not the chat's" });
    mkdirSync(`${project}/data`);
    for (const folder of ["data", "shared"]) chmodSync(`${project}/${folder}`, 0o777);
    const { child, url, exit } = await startProgram(project, { DATA_DIR: `${project}/data` });
    expect(url).not.toBe("");
    const open = ["", ".gitignore", "lock"].filter((path) => (statSync(`${project}/data/${path}`).mode & 0o077) !== 0);
    expect(open).toEqual([]);
    child.kill("SIGKILL");
    await exit;
    const refused = await startProgram(project, { DATA_DIR: `${project}/shared` });
    expect(await refused.exit).toBe(1);
    expect(refused.output().stderr).toContain("Set DATA_DIR to a folder that you own");
    expect(statSync(`${project}/shared`).mode & 0o777).toBe(0o777);
  });

  test("reports a damaged database and how to recover", async () => {
    const project = temporaryFolder({
      "config.toml": "",
      "data/postgres/PG_VERSION": "17\n",
      "data/postgres/base/1": "?",
    });
    const { exit, output } = await startProgram(project, { DATA_DIR: `${project}/data` });
    expect(await exit).toBe(1);
    expect(output().stderr).toMatch(/data\/postgres cannot be opened \(.+Restore a backup, or move that folder away/);
    expect(output().stderr).not.toMatch(/^\s+at /m);
  });

  test.each([
    ["[server]\nhost = '0.0.0.0'", "Set ADMIN_TOKEN"],
    ["[server]\nport = -1", "config.toml:2: 'server.port' must be an integer from 0 to 65535, not -1."],
    ["[models]\ndefault = 'gpt'", "config.toml:2: The default model 'gpt' is not available."],
    ["[database]\nfolder = 'config.toml'", "Set DATA_DIR to a folder that you own"],
  ])("%j stops the start with a one-line error", async (settings, sentence) => {
    const project = temporaryFolder({ "config.toml": settings });
    await fillDataFolder(`${project}/.skillset/chat`);
    const { exit, output } = await startProgram(project);
    expect(await exit).toBe(1);
    expect(output().stderr.trim().split("\n").at(-1)).toContain(sentence);
    expect(output().stdout).toBe("");
  });
});

test("the address is printed with a hint on a terminal, and alone for programs", () => {
  expect(addressLine("http://127.0.0.1:1/", true)).toBe("The chat is running at http://127.0.0.1:1/ (Ctrl-C to stop)");
  expect(addressLine("http://127.0.0.1:1/", false)).toBe("http://127.0.0.1:1/");
});
