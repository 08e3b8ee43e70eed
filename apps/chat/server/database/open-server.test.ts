import { mkdirSync, writeFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import type { SkillsView } from "../../shared/skills-api.ts";
import { createApp } from "../app.ts";
import { parseConfig } from "../config/config.ts";
import { createLog } from "../observe/log.ts";
import { openServices } from "../open-services.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../testing/postgres-server.ts";
import { openServer } from "./open-server.ts";

describe.skipIf(!hasPostgres)("a PostgreSQL server", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.close());

  async function open(project: string) {
    const config = parseConfig('[app.skills]\nenabled = true\ndirectories = ["./.skills"]', `${project}/config.toml`, {
      DATABASE_URL: server.url,
    });
    const environment = { ADMIN_TOKEN: "a-token-for-the-tests" };
    const opened = await openServices(config, { environment, log: createLog("silent"), webRoot: project });
    onTestFinished(opened.close);
    return { ...opened.services, app: createApp(opened.services) };
  }

  test("several servers can start and migrate at the same time", async () => {
    const databases = await Promise.all(Array.from({ length: 4 }, () => openServer(server.url)));
    await Promise.all(databases.map(({ close }) => close()));
  });

  test("a server starts while another one is writing, because existing indexes need no lock", async () => {
    const writing = await openServer(server.url);
    onTestFinished(writing.close);
    await writing.queries.transaction(async (transaction) => {
      await transaction.execute(
        sql`INSERT INTO chats (id, owner, title, title_words, model_id) VALUES ('w', 'o', '', '', 'm')`,
      );
      const started = await openServer(server.url);
      await started.close();
      expect(started.searchProblem).toBeUndefined();
    });
  });

  test("two servers share chats, and a switch or rescan on one reaches the other", async () => {
    const project = temporaryFolder({ ".skills/notes/SKILL.md": skillMd("notes") });
    const [one, other] = [await open(project), await open(project)];
    const headers = { "content-type": "application/json", authorization: "Bearer a-token-for-the-tests" };
    const chat = (await (await one.app.request("/api/chats", { method: "POST", headers })).json()) as { id: string };
    const message = { id: "m1", role: "user", parts: [{ type: "text", text: "/notes" }] };
    const body = JSON.stringify({ message, modelId: "offline" });
    await (await one.app.request(`/api/chats/${chat.id}/turn`, { method: "POST", headers, body })).text();
    const seen = (await (await other.app.request(`/api/chats/${chat.id}`)).json()) as { active: unknown };
    expect(seen.active).toMatchObject([{ name: "notes", by: "user" }]);

    const states = async () =>
      ((await (await other.app.request("/api/skills")).json()) as SkillsView).rows.map(
        ({ name, state }) => `${name} ${state}`,
      );
    const off = { method: "PUT", headers, body: '{"isEnabled":false}' };
    // The other server may not be listening yet when the first notice is sent.
    await expect
      .poll(
        async () => {
          await one.app.request("/api/skills/notes/switch", off);
          return states();
        },
        { timeout: 10_000 },
      )
      .toEqual(["notes disabled"]);

    mkdirSync(`${project}/.skills/added`);
    writeFileSync(`${project}/.skills/added/SKILL.md`, skillMd("added"));
    await one.app.request("/api/skills/rescan", { method: "POST", headers });
    await expect.poll(states, { timeout: 10_000 }).toContain("added enabled");
  });

  test("an unreachable server is reported without the password", async () => {
    await expect(openServer("postgres://chat:secret@127.0.0.1:1/chat")).rejects.toThrow(
      /^The chat cannot use the server at 127\.0\.0\.1:1 as its database: .*ECONNREFUSED/,
    );
  });
});
