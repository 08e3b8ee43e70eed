import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { fillDataFolder } from "../../apps/chat/server/testing/memory-database.ts";
import { hasPostgres, POSTGRES_MISSING, startPostgres } from "../../apps/chat/server/testing/postgres-server.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import {
  type Acknowledged,
  type Findings,
  look,
  type RunningServer,
  settled,
  startServer,
  writeUntilGone,
} from "./chat-under-load.ts";
import { report } from "./report.ts";

/** How often the chat is killed on each database. */
const KILLS = Number(process.env.KILLS ?? 2);
const WRITERS = 8;
const EARLY = fileURLToPath(new URL("./s17-early-answer.ts", import.meta.url));

const SETTINGS = `[app.skills]
enabled = true
directories = ["./.skills"]
[limits]
requests_per_minute = 1000000
answers_per_minute = 1000000
`;

function add(total: Findings, more: Findings): void {
  for (const key of ["lost", "unanswered", "halves"] as const) total[key] += more[key];
}

describe.each(["the embedded database", "PostgreSQL"] as const)("S17: kill -9 under load, on %s", (kind) => {
  const isPostgres = kind === "PostgreSQL";

  test.skipIf(isPostgres && !hasPostgres)(
    `no acknowledged message is lost, and the database opens every time${isPostgres ? POSTGRES_MISSING : ""}`,
    async () => {
      const place = await openPlace();
      const all: Acknowledged[] = [];
      const total: Findings = { lost: 0, unanswered: 0, halves: 0 };
      let last: readonly Acknowledged[] = [];
      for (let round = 0; round < KILLS; round++) {
        const server = await startServer(place);
        onTestFinished(server.kill);
        add(total, await look(server.url, last));
        last = await killUnderLoad(server, place, round);
        all.push(...last);
      }
      // Once more for all rounds, after every interrupted answer was marked.
      const server = await startServer(place);
      onTestFinished(server.kill);
      expect(await settled(server.url, new Set(all.map(({ chatId }) => chatId)))).toBe(true);
      add(total, await look(server.url, all));
      await server.kill();
      const control = await loseSome(await openPlace());
      const answered = all.filter(({ isAnswered }) => isAnswered).length;
      report("S17", {
        tried: `messages acknowledged before ${KILLS} kills on ${kind}`,
        cases: all.length,
        through: total.lost + total.unanswered + total.halves,
        control: `acknowledging before storing loses ${control.lost} of ${control.of}`,
        note: `${answered} complete answers`,
      });
      expect(all.length).toBeGreaterThanOrEqual(KILLS * WRITERS);
      expect(total).toEqual({ lost: 0, unanswered: 0, halves: 0 });
      expect(control.lost).toBeGreaterThan(0);
    },
    120_000 + KILLS * 30_000,
  );

  interface Place {
    readonly environment: Readonly<Record<string, string>>;
    /** Crashes the database too, and starts it again. */
    readonly crash?: () => Promise<void>;
  }

  async function openPlace(): Promise<Place> {
    const project = temporaryFolder({ "config.toml": SETTINGS, ".skills/notes/SKILL.md": skillMd("notes") });
    const environment = { HOME: project, CONFIG: `${project}/config.toml`, LOG_LEVEL: "error" };
    if (!isPostgres) {
      await fillDataFolder(`${project}/data`);
      return { environment: { ...environment, DATA_DIR: `${project}/data` } };
    }
    const postgres = await startPostgres();
    onTestFinished(() => postgres.close());
    const crash = async (): Promise<void> => {
      await postgres.kill();
      await postgres.start();
    };
    return { environment: { ...environment, DATABASE_URL: await postgres.createDatabase() }, crash };
  }

  /** Writes to the server, and kills it meanwhile. */
  async function killUnderLoad(server: RunningServer, { crash }: Place, round: number) {
    const target = WRITERS + Math.floor(Math.random() * 4 * WRITERS);
    const { promise: isTime, resolve: setTime } = Promise.withResolvers<void>();
    const kill = async (): Promise<void> => {
      await isTime;
      await pause(Math.random() * 50);
      // Every second time the database server is killed too.
      if (round % 2 === 1 && crash) await Promise.all([crash(), server.kill()]);
      else await server.kill();
    };
    const onAcknowledged = (count: number): void => {
      if (count >= target) setTime();
    };
    const [acknowledged] = await Promise.all([writeUntilGone(server.url, WRITERS, onAcknowledged), kill()]);
    return acknowledged;
  }

  /** Does the same with a server that acknowledges too early, until something is lost. */
  async function loseSome(place: Place): Promise<{ readonly lost: number; readonly of: number }> {
    let of = 0;
    for (let round = 0; round < 10; round++) {
      const early = await startServer({ ...place, arguments: ["--import", EARLY] });
      onTestFinished(early.kill);
      const acknowledged = await killUnderLoad(early, place, 0);
      of += acknowledged.length;
      const server = await startServer(place);
      onTestFinished(server.kill);
      const { lost } = await look(server.url, acknowledged);
      await server.kill();
      if (lost > 0) return { lost, of };
    }
    return { lost: 0, of };
  }
});
