import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { skillMd, writeFiles } from "../../../../test/temporary-folder.ts";
import type { BinPage, ChatMessage, ConsentChoice } from "../../shared/api.ts";
import { emptyDatabase, type OpenChatOptions, openChat, type TestChat } from "../testing/open-chat.ts";
import { testRunner } from "../testing/test-runner.ts";

afterEach(emptyDatabase);

const CONFIG = `[app.skills]
enabled = true
directories = ["./.skills"]
scripts = "auto"
consent_seconds = 20
[database]
folder = "data"
`;

const filesOf = (script: string) => ({
  ".skills/tea/SKILL.md": skillMd("tea", "Makes tea."),
  ".skills/tea/scripts/brew.sh": script,
});
const RUN = { call: "skills_run_script", input: { name: "tea", script: "scripts/brew.sh", args: ["green"] } };

async function openTea(script: string, options: Partial<OpenChatOptions> = {}) {
  const runner = testRunner();
  const steps = [RUN, { say: "Done." }];
  const chat = await openChat({
    files: filesOf(script),
    config: CONFIG,
    script: steps,
    scriptRunner: runner,
    ...options,
  });
  const id = await chat.create();
  return { chat, id, runner };
}

const scriptOf = async (chat: TestChat, id: string) => (await chat.load(id)).script;
const asked = (chat: TestChat, id: string) => expect.poll(async () => (await scriptOf(chat, id))?.state).toBe("asking");
const answer = (chat: TestChat, id: string, choice: ConsentChoice, call = "call_1") =>
  chat.call("POST", `/api/chats/${id}/consent`, { call, answer: choice });

/** Sends a message, answers the question, and returns the result of the script's call. */
async function runWith(chat: TestChat, id: string, choice: ConsentChoice) {
  const said = chat.say(id, "Make tea.");
  await asked(chat, id);
  const { call = "" } = (await scriptOf(chat, id)) ?? {};
  const { status } = await (choice === "always"
    ? chat.asAdmin("POST", `/api/chats/${id}/consent`, { call, answer: choice })
    : answer(chat, id, choice, call));
  expect(status).toBe(204);
  return outputOf((await said).last);
}

function outputOf({ parts }: ChatMessage) {
  const part = parts.find(({ type }) => type === "tool-skills_run_script");
  return part?.type === "tool-skills_run_script" && part.state === "output-available" ? part.output : undefined;
}

describe("a question about a script", () => {
  test("says what will run and where, and the script waits for the answer", async () => {
    const { chat, id, runner } = await openTea("print-args");
    const said = chat.say(id, "Make tea.");
    await asked(chat, id);
    const digest = await chat.services.skills?.registry.current.get("tea")?.digest();
    const shown = {
      skill: "tea",
      script: "scripts/brew.sh",
      args: ["green"],
      level: "test",
      sandbox: "test",
      digest,
      files: [],
      env: [],
      output: "",
    };
    expect(await scriptOf(chat, id)).toEqual({ ...shown, call: expect.any(String), state: "asking" });
    expect(runner.jobs).toEqual([]);
    const { call = "" } = (await scriptOf(chat, id)) ?? {};
    expect((await answer(chat, id, "once", call)).status).toBe(204);
    const { chunks, last } = await said;
    const states = chunks.filter(({ type }) => type === "data-script").map(({ data }) => data);
    const running = { state: "running" };
    expect(states).toMatchObject([{ state: "asking" }, running, { ...running, output: "green\n" }, null]);
    expect(outputOf(last)).toMatchObject({ isError: false, data: { outcome: "exited", exitCode: 0, level: "test" } });
    expect(JSON.stringify(last.parts)).not.toContain("data-script");
    expect(await scriptOf(chat, id)).toBeUndefined();
    expect(chat.model.requests.at(-1)?.toolResults.at(-1)?.text).toContain("green");
  });

  test("is asked again after Run once, and a denied script does not run", async () => {
    const { chat, id, runner } = await openTea("print hot", { script: [RUN, { say: "1" }, RUN, { say: "2" }] });
    expect(await runWith(chat, id, "once")).toMatchObject({ isError: false });
    expect(await runWith(chat, id, "deny")).toEqual({
      isError: true,
      code: "script-refused",
      text: "The scripts of skill 'tea' may not run: consent was denied.",
    });
    expect(runner.jobs).toHaveLength(1);
  });

  test("is answered for all chats and for this version only by an admin's Always", async () => {
    const { chat, id, runner } = await openTea("print hot", {
      pace: "global",
      script: Array(6)
        .fill([RUN, { say: "!" }])
        .flat(),
    });
    const said = chat.say(id, "Make tea.");
    await asked(chat, id);
    const { call = "" } = (await scriptOf(chat, id)) ?? {};
    expect((await answer(chat, id, "always", call)).status).toBe(401);
    expect(await scriptOf(chat, id)).toMatchObject({ state: "asking" });
    expect((await chat.asAdmin("POST", `/api/chats/${id}/consent`, { call, answer: "always" })).status).toBe(204);
    await said;
    expect(chat.log).toContainEqual(expect.objectContaining({ action: "allow-scripts", skill: "tea" }));
    const other = await chat.create();
    expect(outputOf((await chat.say(other, "Make tea.")).last)).toMatchObject({ isError: false });
    expect(runner.jobs).toHaveLength(2);
    expect(await chat.get("/api/skills/tea")).toMatchObject({ areScriptsAllowed: true });
    writeFiles(chat.project, filesOf("print cold"));
    await chat.services.skills?.registry.rescan();
    expect(await chat.get("/api/skills/tea")).toMatchObject({ areScriptsAllowed: false });
    expect(await runWith(chat, other, "deny")).toMatchObject({ isError: true });
  });

  test("is asked again after an admin has revoked Always", async () => {
    const { chat, id } = await openTea("print hot", { script: [RUN, { say: "1" }, RUN, { say: "2" }] });
    await runWith(chat, id, "always");
    expect((await chat.call("DELETE", "/api/skills/tea/consent")).status).toBe(401);
    expect((await chat.asAdmin("DELETE", "/api/skills/tea/consent")).status).toBe(204);
    expect(await runWith(chat, id, "deny")).toMatchObject({ isError: true });
  });

  test("has one answer: the second is refused, and so are answers for other calls and chats", async () => {
    const { chat, id } = await openTea("hang");
    const said = chat.ask(id, "Make tea.");
    await asked(chat, id);
    const { call = "" } = (await scriptOf(chat, id)) ?? {};
    const other = await chat.create();
    expect((await answer(chat, other, "once", call)).status).toBe(409);
    expect((await answer(chat, id, "once", "another")).status).toBe(409);
    expect((await answer(chat, "none", "once", call)).status).toBe(404);
    expect((await chat.call("POST", `/api/chats/${id}/consent`, { call, answer: "perhaps" })).status).toBe(400);
    expect((await answer(chat, id, "once", call)).status).toBe(204);
    const late = await answer(chat, id, "deny", call);
    expect([late.status, await late.json()]).toMatchObject([409, { error: { code: "not-asked" } }]);
    await expect.poll(async () => (await scriptOf(chat, id))?.state).toBe("running");
    await chat.call("POST", `/api/chats/${id}/stop`);
    await (await said).text();
  });

  test("that nobody answers is denied, and the model is told why", async () => {
    const { chat, id, runner } = await openTea("print hot", { config: CONFIG.replace("= 20", "= 1") });
    const { last } = await chat.say(id, "Make tea.");
    expect(outputOf(last)).toMatchObject({ text: "Nobody answered within 1 seconds whether the script may run." });
    expect(runner.jobs).toEqual([]);
  });

  test("ends with the answer, and nothing runs", async () => {
    const { chat, id, runner } = await openTea("print hot");
    const said = chat.say(id, "Make tea.");
    await asked(chat, id);
    await chat.call("POST", `/api/chats/${id}/stop`);
    expect((await said).last.metadata).toMatchObject({ isStopped: true });
    await expect.poll(() => scriptOf(chat, id)).toBeUndefined();
    expect(runner.jobs).toEqual([]);
  });
});

describe("a running script", () => {
  test("streams its output, and a stop of the answer ends it", async () => {
    const { chat, id, runner } = await openTea("print hot\nhang");
    const said = chat.say(id, "Make tea.");
    await asked(chat, id);
    await answer(chat, id, "once", (await scriptOf(chat, id))?.call);
    await expect.poll(async () => (await scriptOf(chat, id))?.output).toBe("hot\n");
    await chat.call("POST", `/api/chats/${id}/stop`);
    const { chunks } = await said;
    expect(chunks.filter(({ type }) => type === "data-script").map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ state: "running", output: "hot\n" }),
    );
    expect(runner.jobs[0]?.signal.aborted).toBe(true);
  });

  test("is logged without arguments and output, and counted", async () => {
    const { chat, id } = await openTea("print-args");
    await runWith(chat, id, "once");
    const lines = chat.log.filter(({ event }) => event.startsWith("script-"));
    expect(lines).toMatchObject([
      { event: "script-consent", skill: "tea", answer: "once" },
      { event: "script-run", skill: "tea", script: "scripts/brew.sh", sandbox: "test", outcome: "exited", exitCode: 0 },
    ]);
    expect(JSON.stringify(lines)).not.toContain("green");
    expect(await (await chat.call("GET", "/metrics")).text()).toContain('chat_script_runs_total{outcome="exited"} 1');
  });
});

describe("a file of a script", () => {
  const get = (chat: TestChat, id: string, path: string, more = "") =>
    chat.call("GET", `/api/chats/${id}/file?path=${encodeURIComponent(path)}${more}`);

  test("is downloaded, never rendered, whatever its name and content", async () => {
    const names = ["page.html", 'a"; filename=b.html', "ä'*.svg", "..."];
    const script = names.map((name) => `write ${JSON.stringify(name).replaceAll(" ", "\\u0020")} <script>`).join("\n");
    const { chat, id } = await openTea(script);
    await runWith(chat, id, "once");
    for (const name of names) {
      const { status, headers } = await get(chat, id, name);
      expect([name, status]).toEqual([name, 200]);
      expect(headers.get("content-type")).toBe("application/octet-stream");
      expect(headers.get("content-disposition")).toMatch(
        /^attachment; filename="[\w.-]*"; filename\*=UTF-8''[\w%.!~-]*$/,
      );
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
      expect((await get(chat, id, name, "&preview")).status).toBe(415);
    }
  });

  test("has a preview only if its bytes are those of an image", async () => {
    const { chat, id, runner } = await openTea('write "a.txt" x');
    const bytes = Buffer.from("\x89PNG\r\n\x1a\n<script>", "latin1");
    const { run } = runner;
    Object.assign(runner, {
      run: async (job: Parameters<typeof run>[0]) => {
        writeFileSync(join(job.outputFolder, "plot.html"), bytes);
        writeFileSync(join(job.outputFolder, "fake.png"), "<svg onload=alert(1)>");
        return run(job);
      },
    });
    await runWith(chat, id, "once");
    const { headers } = await get(chat, id, "plot.html", "&preview");
    expect(headers.get("content-type")).toBe("image/png");
    expect(headers.get("content-security-policy")).toContain("sandbox");
    expect((await get(chat, id, "fake.png", "&preview")).status).toBe(415);
  });

  test("is only read inside the chat's folder", async () => {
    const { chat, id } = await openTea('write "cup.txt" hot');
    await runWith(chat, id, "once");
    const other = await chat.create();
    expect((await get(chat, other, "cup.txt")).status).toBe(404);
    expect((await get(chat, "none", "cup.txt")).status).toBe(404);
    expect((await get(chat, id, "")).status).toBe(400);
    for (const path of ["../cup.txt", "/etc/hostname", "..", "a/../../x", "none.txt", "\0"]) {
      const response = await get(chat, id, path);
      expect([path, response.status >= 400]).toEqual([path, true]);
      expect(await response.text()).not.toContain(chat.project);
    }
  });

  test("stays while the chat is in the bin, and is deleted with it", async () => {
    const { chat, id } = await openTea('write "cup.txt" hot');
    await runWith(chat, id, "once");
    const folder = join(chat.project, "data/script-files");
    expect(readdirSync(folder)).toHaveLength(1);
    await chat.call("DELETE", `/api/chats/${id}`);
    expect(readdirSync(folder)).toHaveLength(1);
    await chat.call("DELETE", `/api/bin/${id}`);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("is deleted on start if its chat is in the bin for too long", async () => {
    const { chat, id, runner } = await openTea('write "cup.txt" hot');
    await runWith(chat, id, "once");
    const folder = join(chat.project, "data/script-files");
    for (const one of [id, await chat.create()]) await chat.call("DELETE", `/api/chats/${one}`);
    await chat.services.database.queries.execute(
      sql`UPDATE chats SET deleted_at = now() - interval '31 days' WHERE id = ${id}`,
    );
    expect(readdirSync(folder)).toHaveLength(1);
    const next = await openChat({ project: chat.project, config: CONFIG, scriptRunner: runner });
    await expect.poll(() => next.log).toContainEqual(expect.objectContaining({ event: "bin-swept", entries: 1 }));
    expect(readdirSync(folder)).toEqual([]);
    expect((await next.get<BinPage>("/api/bin")).total).toBe(1);
  });
});

test("deleting a chat with a running script ends the script first", async () => {
  const { chat, id, runner } = await openTea('write "cup.txt" hot\nhang');
  const said = chat.ask(id, "Make tea.");
  await asked(chat, id);
  await answer(chat, id, "once", (await scriptOf(chat, id))?.call);
  await expect.poll(() => runner.jobs.length).toBe(1);
  await chat.call("DELETE", `/api/chats/${id}`);
  await chat.call("DELETE", `/api/bin/${id}`);
  await (await said).text();
  expect(readdirSync(join(chat.project, "data/script-files"))).toEqual([]);
});
