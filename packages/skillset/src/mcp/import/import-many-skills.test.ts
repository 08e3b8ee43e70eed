import { Client, InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import { defineSkill } from "../../core/skill/define-skill.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { createSkillsServer } from "../server/skills-server.ts";
import { importSkills } from "./import-skills.ts";

const DIGEST = `sha256:${"0".repeat(64)}`;

/** A skill as listed by a server. */
function entry(name: string, files = 1) {
  const root = `skill://${name}/`;
  const resources = Array.from({ length: files }, (_, index) => ({
    uri: `${root}${index === 0 ? "SKILL.md" : `${index}.md`}`,
    digest: DIGEST,
    size: 10,
  }));
  return { uri: `${root}SKILL.md`, frontmatter: { name, description: "Does something." }, resources };
}

/** A client of a server whose listing pages are replaced by these; `asked` counts the requests. */
async function connectTo(pages: readonly (readonly unknown[])[], onListed: () => void = () => {}) {
  const server = createSkillsServer(await createSkillset([defineSkill({ name: "a", description: "A", body: "B" })]));
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs as never);
  const client = new Client({ name: "host", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(ours);
  onTestFinished(() => client.close());
  let asked = 0;
  const { onmessage } = ours;
  ours.onmessage = (message: JSONRPCMessage, extra) => {
    if (!("result" in message) || !("skills" in message.result)) return onmessage?.(message, extra);
    const skills = [...(pages[asked] ?? [])];
    asked += 1;
    onListed();
    const next = asked < pages.length ? { nextCursor: String(asked) } : {};
    return onmessage?.({ ...message, result: { ...message.result, skills, ...next } }, extra);
  };
  // The real server rejects a cursor that it did not issue.
  const { send } = ours;
  ours.send = (message, options) => {
    if ("method" in message && message.method === "skills/list") delete message.params?.cursor;
    return send.call(ours, message, options);
  };
  return { client, asked: () => asked };
}

const approve = (): boolean => true;

test("a page of 300,000 skills is cut before validation, and a problem reports it", { timeout: 20_000 }, async () => {
  const { client } = await connectTo([Array.from({ length: 300_000 }, (_, index) => entry(`s${index}`))]);
  const skills = await importSkills(client, { server: "acme", approve });
  expect(skills.size).toBe(25_000);
  expect(skills.problems).toEqual([
    {
      code: "skill-not-imported",
      severity: "error",
      message: "MCP server 'acme' lists too many skills and files; only the first 25000 skills were imported.",
    },
  ]);
});

test("the limit also counts files, across all pages: no further page is requested", async () => {
  const page = (start: number) => Array.from({ length: 60 }, (_, index) => entry(`s${start + index}`, 500));
  const { client, asked } = await connectTo([page(0), page(60), page(120), page(180)]);
  const skills = await importSkills(client, { server: "acme", approve });
  expect(skills.size).toBe(99);
  expect(asked()).toBe(2);
});

test("all pages of a listing within the limit are imported, and nothing is reported", async () => {
  const { client, asked } = await connectTo([[entry("one")], [entry("two")], [entry("three")]]);
  const skills = await importSkills(client, { server: "acme", approve });
  expect(skills.names.toSorted()).toEqual(["acme:one", "acme:three", "acme:two"]);
  expect(skills.problems).toEqual([]);
  expect(asked()).toBe(3);
});

test("aborting the signal after the listing has arrived ends the import", { timeout: 20_000 }, async () => {
  const controller = new AbortController();
  const abortSoon = () => void setTimeout(() => controller.abort(new Error("enough")), 0);
  const { client } = await connectTo([Array.from({ length: 24_000 }, (_, index) => entry(`s${index}`))], abortSoon);
  const imported = importSkills(client, { server: "acme", approve, signal: controller.signal });
  await expect(imported).rejects.toThrow(/^enough$/);
});
