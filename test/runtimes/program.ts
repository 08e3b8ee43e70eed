import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  createSkillset,
  defineSkill,
  MemorySessionStore,
  parseSkillMd,
  type Skill,
  type Skillset,
  type VirtualSkill,
} from "skillset";
import { importSkills } from "skillset/mcp";
import { runAdapters } from "./adapters.ts";

/** Where the program finds an MCP server and models, and folders of skills if the runtime has folders. */
export interface Places {
  readonly mcp: string;
  readonly models: string;
  readonly folder: string;
  readonly manySkills: string;
}

/** The skills of both folders, compiled in. */
export interface Compiled {
  readonly few: readonly Skill[];
  readonly many: readonly Skill[];
}

/** Runs in every runtime, and returns the same everywhere, except for folders and scripts. */
export async function runProgram({ mcp, models, folder, manySkills }: Places, { few, many }: Compiled) {
  const skillset = await createSkillset([greet(), bake()]);
  return {
    code: await trySkills(skillset),
    yaml: parseSkillMd("---\nname: folded\ndescription: >-\n  Folds\n  texts.\n---\nFold.\n").description,
    session: await holdSession(skillset),
    search: (await skillset.rank("I want to bake a cake")).map(({ skill }) => skill.name),
    mcp: await importFrom(mcp),
    adapters: await runAdapters(skillset, models),
    folders: await orRefused(async () => (await createSkillset(folder)).names.join()),
    scripts: await orRefused(() => runScript(folder)),
    compiled: await describeSkills(await createSkillset(few)),
    manyInFolder: await orRefused(() => describeMany(manySkills)),
    manyCompiled: await describeMany(many),
  };
}

export type ProgramResult = Awaited<ReturnType<typeof runProgram>>;

/** Returns what compiled skills have in common with those of the folder. */
async function describeSkills(skillset: Skillset) {
  return {
    names: skillset.names,
    digests: await Promise.all(skillset.skills.map((skill) => skill.digest())),
    catalog: skillset.catalog().text,
    instructions: await Promise.all(skillset.skills.map((skill) => skill.instructions())),
    files: await Promise.all(skillset.skills.map(readFiles)),
  };
}

/** Returns the names and digests of thousands of skills, and the hashes of their catalog and of some of their texts. */
async function describeMany(source: string | readonly Skill[]) {
  const skillset = await createSkillset(source, { requirements: false, onProblem: () => {} });
  const sample = skillset.skills.filter((_skill, index) => index % 50 === 0);
  return {
    names: skillset.names,
    digests: await Promise.all(skillset.skills.map((skill) => skill.digest())),
    catalog: await hash(skillset.catalog({ budget: { tokens: Number.POSITIVE_INFINITY } }).text),
    instructions: await Promise.all(sample.map(async (skill) => hash(await skill.instructions()))),
    files: await Promise.all(sample.map(async (skill) => hash(JSON.stringify(await readFiles(skill))))),
  };
}

async function hash(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The digest of a compiled skill was computed by the build, so the bytes are compared too. */
async function readFiles({ files }: Skill) {
  const paths = (await files.list()).filter(({ kind }) => kind === "file").map(({ path }) => path);
  return Promise.all(paths.map(async (path) => ({ path, bytes: [...(await files.read(path))] })));
}

function greet(): VirtualSkill {
  return defineSkill({
    name: "greet",
    description: "Greets people. Use when the user says hello.",
    body: "Read references/words.md, then shout.",
    files: { "references/words.md": "Say 'ahoy'." },
    tools: [
      {
        name: "shout",
        description: "Shouts a text.",
        inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
        handler: (input) => (input as { readonly text: string }).text.toUpperCase(),
      },
    ],
  });
}

function bake(): VirtualSkill {
  return defineSkill({ name: "bake", description: "Bakes cakes and bread.", body: "Heat the oven to 180 °C." });
}

async function trySkills(skillset: Skillset) {
  const session = await skillset.session();
  const wrong = session.call("greet", "shout", { text: 1 });
  return {
    names: skillset.names,
    catalog: skillset.catalog().text,
    digest: await skillset.get("greet")?.digest(),
    file: await session.files("greet").read("references/words.md"),
    tool: await session.call("greet", "shout", { text: "ahoy" }),
    refused: await wrong.then(String, (error: Error) => error.name),
  };
}

async function holdSession(skillset: Skillset) {
  const store = new MemorySessionStore();
  const session = await skillset.session({ id: "chat", store });
  const turn = await session.turn([{ role: "user", text: "/greet Ada" }]);
  const { text } = await session.activate("bake");
  const resumed = await skillset.session({ id: "chat", store });
  return {
    instructions: turn.instructions,
    messages: turn.messages,
    tools: turn.tools.map(({ name }) => name),
    activation: text,
    resumed: resumed.active,
  };
}

async function importFrom(url: string) {
  const client = new Client({ name: "runtimes", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  try {
    const skillset = await createSkillset([await importSkills(client, { server: "acme", approve: () => true })]);
    const session = await skillset.session();
    const { text } = await session.activate("acme:steep");
    return { names: skillset.names, text, file: (await session.files("acme:steep").read("kinds.md")).content };
  } finally {
    await client.close();
  }
}

async function runScript(folder: string): Promise<string> {
  const skillset = await createSkillset(folder, { scripts: { runner: "subprocess", consent: () => "once" } });
  const session = await skillset.session();
  return JSON.stringify((await session.scripts.run("count", "scripts/count.sh", { args: ["one two three"] })).json);
}

/** A runtime without folders must say what to do. */
async function orRefused<Value>(use: () => Promise<Value>): Promise<Value | string> {
  try {
    return await use();
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message: string };
    return code === "option-invalid" && message.includes("without") ? "refused" : `${code}: ${message}`;
  }
}
