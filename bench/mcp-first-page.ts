// Serves a folder and answers the first page of skills/list, in a separate process.
import { readFileSync } from "node:fs";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { SKILLS_LIST_METHOD } from "@modelcontextprotocol/client/ext/skills";
import { McpServer, type Transport } from "@modelcontextprotocol/server";
import { loadSkills } from "@modelcontextprotocol/server/ext/skills/node";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createSkillset } from "skillset";
import { createSkillsServer } from "skillset/mcp";
import { z } from "zod";

/** Milliseconds and bytes. */
export interface Started {
  readonly serving: number;
  readonly page: number;
  readonly skills: number;
  readonly readServing: number;
  readonly readPage: number;
}

if (import.meta.main) {
  const [way, folder = ""] = process.argv.slice(2);
  const [start, readStart] = [performance.now(), bytesRead()];
  const [near, far] = InMemoryTransport.createLinkedPair();
  await (way === "skillset" ? serveOurs(folder, far) : serveSdk(folder, far));
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(near);
  const [serving, readServing] = [performance.now(), bytesRead()];
  const { skills } = await client.request(
    { method: SKILLS_LIST_METHOD, params: {} },
    z.object({ skills: z.array(z.any()) }),
  );
  const [end, readEnd] = [performance.now(), bytesRead()];
  await client.close();
  const started: Started = {
    serving: serving - start,
    page: end - serving,
    skills: skills.length,
    readServing: readServing - readStart,
    readPage: readEnd - readServing,
  };
  console.log(JSON.stringify(started));
}

async function serveOurs(folder: string, transport: Transport): Promise<void> {
  await createSkillsServer(await createSkillset(folder)).connect(transport);
}

async function serveSdk(folder: string, transport: Transport): Promise<void> {
  const skills = await loadSkills(folder);
  serveStdio(
    () => {
      const server = new McpServer({ name: "bare", version: "1.0.0" });
      skills.attach(server);
      return server;
    },
    { transport },
  );
}

/** Returns the bytes that this process has read so far; NaN if the system does not report them. */
function bytesRead(): number {
  try {
    return Number(/^rchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
  } catch {
    return Number.NaN;
  }
}
