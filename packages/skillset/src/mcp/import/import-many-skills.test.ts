import { Client, InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import { defineSkill } from "../../core/skill/define-skill.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { createSkillsServer } from "../skills-server.ts";
import { importSkills } from "./import-skills.ts";

const DIGEST = `sha256:${"0".repeat(64)}`;

/** A skill as a server lists it. */
function entry(name: string, files = 1) {
  const root = `skill://${name}/`;
  const resources = Array.from({ length: files }, (_, index) => ({
    uri: `${root}${index === 0 ? "SKILL.md" : `${index}.md`}`,
    digest: DIGEST,
    size: 10,
  }));
  return { uri: `${root}SKILL.md`, frontmatter: { name, description: "Does something." }, resources };
}

/** A client of a server whose listing has other pages than it sent; `asked` counts them. */
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
  // A cursor that the real server did not give is one that it refuses.
  const { send } = ours;
  ours.send = (message, options) => {
    if ("method" in message && message.method === "skills/list") delete message.params?.cursor;
    return send.call(ours, message, options);
  };
  return { client, asked: () => asked };
}

const approve = (): boolean => true;

test("a page of 300,000 skills is cut before it is validated, and a problem says so", { timeout: 20_000 }, async () => {
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

test("the bound holds for files too, and for all pages together: no further page is asked for", async () => {
  const page = (start: number) => Array.from({ length: 60 }, (_, index) => entry(`s${start + index}`, 500));
  const { client, asked } = await connectTo([page(0), page(60), page(120), page(180)]);
  const skills = await importSkills(client, { server: "acme", approve });
  expect(skills.size).toBe(99);
  expect(asked()).toBe(2);
});

test("all pages of a listing within the bound are taken, and nothing is reported", async () => {
  const { client, asked } = await connectTo([[entry("one")], [entry("two")], [entry("three")]]);
  const skills = await importSkills(client, { server: "acme", approve });
  expect(skills.names.toSorted()).toEqual(["acme:one", "acme:three", "acme:two"]);
  expect(skills.problems).toEqual([]);
  expect(asked()).toBe(3);
});

test("a signal that is aborted after the listing has come ends the import", { timeout: 20_000 }, async () => {
  const controller = new AbortController();
  const abortSoon = () => void setTimeout(() => controller.abort(new Error("enough")), 0);
  const { client } = await connectTo([Array.from({ length: 24_000 }, (_, index) => entry(`s${index}`))], abortSoon);
  const imported = importSkills(client, { server: "acme", approve, signal: controller.signal });
  await expect(imported).rejects.toThrow(/^enough$/);
});
