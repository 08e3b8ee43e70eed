import {
  Client,
  type ClientOptions,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import { isAlive } from "../../../../../test/processes.ts";
import { skillMd, temporaryFolder, writeFiles } from "../../../../../test/temporary-folder.ts";
import type { ScriptOptions } from "../../core/script/script-options.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { createSkillsServer, type SkillsServer, type SkillsServerOptions } from "./skills-server.ts";

const FILES = {
  "tea/SKILL.md": skillMd("tea", "Makes tea."),
  "tea/scripts/brew.sh": 'echo "brewing $1"; echo hot > "$OUTPUT_DIR/cup.txt"\n',
  "tea/scripts/wait.sh": 'echo "$$"; sleep 60\n',
  "tea/scripts/picture.sh":
    'printf "\\\\377\\\\000" > "$OUTPUT_DIR/a b.png"; head -c 3000000 /dev/zero > "$OUTPUT_DIR/z.bin"\n',
};

async function serve(options: SkillsServerOptions = {}, scripts: ScriptOptions = {}) {
  const folder = temporaryFolder(FILES);
  const skillset = await createSkillset([folder], { scripts: { runner: "subprocess", ...scripts } });
  const server = createSkillsServer(skillset, options);
  onTestFinished(() => server.close());
  return { server, folder };
}

type Asked = { readonly message: string; readonly answers: readonly string[] };
type Transport = "connection" | "HTTP";
type Era = "legacy" | "modern";

interface Person {
  readonly answer?: string;
  readonly action?: "accept" | "decline";
}

/** A client with a person who is asked, if there is one. */
async function connect(server: SkillsServer, transport: Transport, era: Era, person?: Person) {
  const asked: Asked[] = [];
  const options: ClientOptions = {
    versionNegotiation: { mode: era === "legacy" ? "legacy" : "auto" },
    ...(person && { capabilities: { elicitation: { form: {} } } }),
  };
  const client = new Client({ name: "test", version: "1.0.0" }, options);
  onTestFinished(() => client.close());
  if (person !== undefined) {
    client.setRequestHandler("elicitation/create", ({ params }) => {
      const { message, requestedSchema } = params as never as {
        message: string;
        requestedSchema: { properties: { answer: { enum: string[] } } };
      };
      asked.push({ message, answers: requestedSchema.properties.answer.enum });
      const { action = "accept", answer = "Run once" } = person;
      return action === "accept" ? { action, content: { answer } } : { action };
    });
  }
  if (transport === "HTTP") {
    const fetch = (url: URL | string, init?: RequestInit) => server.fetch(new Request(url, init));
    await client.connect(new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch }));
  } else {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    await client.connect(near);
  }
  expect(client.getProtocolEra()).toBe(era);
  return { client, asked };
}

const brew = (client: Client, more: Record<string, unknown> = {}) =>
  client.callTool({ name: "run_skill_script", arguments: { skill: "tea", script: "scripts/brew.sh", ...more } });

const textOf = ({ content }: { content: unknown }) => (content as { text?: string }[])[0]?.text ?? "";

const REFUSED =
  "The scripts of skill 'tea' may not run: this client cannot ask for consent. Start the server with --allow-scripts tea";

const ALL = [
  ["connection", "legacy"],
  ["connection", "modern"],
  ["HTTP", "legacy"],
  ["HTTP", "modern"],
] as const;
/** A server cannot send requests to a client of the legacy era over HTTP. */
const CAN_ASK = ALL.filter(([transport, era]) => !(transport === "HTTP" && era === "legacy"));

test.each(ALL)(
  "over %s, a client of the %s era that cannot ask gets the flag that allows the scripts",
  async (...how) => {
    const { client } = await connect((await serve()).server, ...how);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("run_skill_script");
    expect(client.getInstructions()).toContain("Run a skill's scripts with `run_skill_script`");
    const result = await brew(client);
    expect(result).toMatchObject({ isError: true, content: [{ text: REFUSED }] });
  },
);

test("over HTTP, a client of the legacy era cannot be asked, even if it could ask", async () => {
  const { client, asked } = await connect((await serve()).server, "HTTP", "legacy", {});
  expect(textOf(await brew(client))).toBe(REFUSED);
  expect(asked).toEqual([]);
});

test.each(ALL)("over %s, in the %s era, the scripts of allowed skills run without a question", async (...how) => {
  const { client, asked } = await connect((await serve({ allowScripts: ["tea"] })).server, ...how, {});
  const result = await brew(client, { args: ["green"] });
  expect(textOf(result)).toContain("<stdout>\nbrewing green\n</stdout>");
  expect(result.structuredContent).toMatchObject({ outcome: "exited", exitCode: 0, level: "subprocess" });
  expect(asked).toEqual([]);
});

test.each(CAN_ASK)("over %s, in the %s era, the client asks its user once for each run", async (...how) => {
  const { client, asked } = await connect((await serve()).server, ...how, { answer: "Run once" });
  for (const kind of ["green", "black\u001b[2J"]) {
    expect(textOf(await brew(client, { args: [kind], input: { cups: 2 } }))).toContain("succeeded");
  }
  expect(asked).toHaveLength(2);
  expect(asked[0]?.message).toBe(
    "Skill 'tea' wants to run scripts/brew.sh on the server's machine, without a sandbox.\n" +
      'Arguments: ["green"]\nInput: {"cups":2}',
  );
  expect(asked[1]?.message).not.toContain("\u001b");
});

test.each(CAN_ASK)("over %s, in the %s era, a user can deny, or decline to answer", async (...how) => {
  for (const person of [{ answer: "Deny" }, { answer: "anything" }, { action: "decline" as const }]) {
    const { client } = await connect((await serve()).server, ...how, person);
    expect((await brew(client)).isError).toBe(true);
  }
});

test.each(["legacy", "modern"] as const)(
  "in the %s era, 'always' covers one version, on one connection",
  async (era) => {
    const { server, folder } = await serve();
    const { client, asked } = await connect(server, "connection", era, { answer: "Always for this version" });
    await brew(client);
    await brew(client);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.answers).toEqual(["Run once", "Always for this version", "Deny"]);
    writeFiles(folder, { "tea/scripts/other.sh": "echo new\n" });
    await server.update((await server.skillset.reload()).skillset);
    await brew(client);
    expect(asked).toHaveLength(2);
    const other = await connect(server, "connection", era, { answer: "Always for this version" });
    await brew(other.client);
    expect(other.asked).toHaveLength(1);
  },
);

test("over HTTP, nobody can consent for longer than a request: it has no conversation", async () => {
  const { client, asked } = await connect((await serve()).server, "HTTP", "modern", {
    answer: "Always for this version",
  });
  expect((await brew(client)).isError).toBe(true);
  expect(asked[0]?.answers).toEqual(["Run once", "Deny"]);
});

test("consent of the skillset takes precedence over the client's", async () => {
  const { server } = await serve({}, { consent: () => ({ deny: "Not on Sundays." }) });
  const { client, asked } = await connect(server, "connection", "modern", {});
  expect(textOf(await brew(client))).toBe("Not on Sundays.");
  expect(asked).toEqual([]);
});

test("over a connection, the files of a script stay for later calls", async () => {
  const { client } = await connect((await serve({ allowScripts: ["tea"] })).server, "connection", "modern");
  expect((await brew(client)).content).toHaveLength(1);
  const input = { skill: "tea", path: "$OUTPUT_DIR/cup.txt" };
  expect(textOf(await client.callTool({ name: "read_skill_file", arguments: input }))).toBe("hot\n");
});

test.each(["legacy", "modern"] as const)("over HTTP, in the %s era, a result contains the files", async (era) => {
  const { client } = await connect((await serve({ allowScripts: ["tea"] })).server, "HTTP", era);
  expect((await brew(client)).content[1]).toEqual({
    type: "resource",
    resource: { uri: "output:///cup.txt", mimeType: "text/plain", text: "hot\n" },
  });
  const { content } = await brew(client, { script: "scripts/picture.sh" });
  expect(content.slice(1)).toEqual([
    { type: "resource", resource: { uri: "output:///a%20b.png", mimeType: "application/octet-stream", blob: "/wA=" } },
    { type: "text", text: "The files from z.bin on are too large to attach, and are lost." },
  ]);
});

// A cancellation of the legacy era is another HTTP request, which a stateless server cannot relate to the first.
test.each(CAN_ASK)(
  "over %s, in the %s era, output arrives while the script runs, and cancelling ends it",
  async (...how) => {
    const { client } = await connect((await serve({ allowScripts: ["tea"] })).server, ...how);
    const controller = new AbortController();
    let pid = 0;
    const running = client.callTool(
      { name: "run_skill_script", arguments: { skill: "tea", script: "scripts/wait.sh" } },
      {
        signal: controller.signal,
        onprogress: ({ message }) => {
          pid = Number(message);
          controller.abort();
        },
      },
    );
    await expect(running).rejects.toThrow();
    expect(pid).toBeGreaterThan(0);
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
  },
);

test("the question shows the files that are written first, and escapes hidden characters", async () => {
  const { client, asked } = await connect((await serve()).server, "connection", "modern", {});
  await brew(client, { args: ["bl\u200back"], files: { "list.txt": "gr\u202een" } });
  expect(asked[0]?.message.split("\n").slice(1)).toEqual([
    'Arguments: ["bl\\u200back"]',
    'File "list.txt": "gr\\u202een"',
  ]);
});

test("allowScripts must be a list: a text would allow skills whose names are parts of it", async () => {
  const skillset = await createSkillset([temporaryFolder(FILES)]);
  expect(() => createSkillsServer(skillset, { allowScripts: "steamer" as never })).toThrow(
    "'allowScripts' must be a list of names of skills.",
  );
});

test.each([
  { action: "accept", content: {} },
  { action: "accept" },
  { action: "accept", content: { answer: "once" } },
  { action: "accept", content: { answer: ["Run once"] } },
  { action: "accept", content: { answer: true } },
  { action: "cancel", content: { answer: "Run once" } },
  { action: "decline", content: { answer: "Always for this version" } },
])("the answer %j of a client is no consent", async (reply) => {
  const { server } = await serve();
  const client = new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode: "legacy" }, capabilities: { elicitation: { form: {} } } },
  );
  onTestFinished(() => client.close());
  client.setRequestHandler("elicitation/create", () => reply as never);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  const result = await brew(client).catch((error: Error) => ({ isError: true, content: error.message }));
  expect(result).toMatchObject({ isError: true });
  expect(JSON.stringify(result)).not.toContain("brewing");
});

test.each(CAN_ASK.filter(([transport]) => transport === "connection"))(
  "over a %s, a person of the %s era is asked before a toolset is loaded, and before each call",
  async (...how) => {
    const folder = temporaryFolder({
      "tea/SKILL.md": "---\nname: tea\ndescription: Makes tea.\ntoolsets: [toolsets/index:Tea]\n---\n\n# Tea\n",
      "tea/toolsets/index.mjs":
        'export const Tea = { tools: [{ name: "brew", description: "Brews.", handler: () => "a cup" }] };\n',
    });
    const skillset = await createSkillset([folder], { toolsets: "sandbox", scripts: { runner: "subprocess" } });
    const server = createSkillsServer(skillset);
    onTestFinished(() => server.close());
    const { client, asked } = await connect(server, ...how, {});
    const activated = await client.callTool({ name: "activate_skill", arguments: { name: "tea" } });
    expect(textOf(activated)).toContain("### brew");
    const call = { skill: "tea", tool: "brew", input: {} };
    expect(textOf(await client.callTool({ name: "call_skill_tool", arguments: call }))).toBe("a cup");
    expect(asked.map(({ message }) => message.split(" on the server")[0])).toEqual([
      "Skill 'tea' wants to run its tools in toolsets/index.mjs",
      "Skill 'tea' wants to run its tool 'brew' in toolsets/index.mjs",
    ]);
  },
);

test("the question names the variables of the server that the script gets, and nobody sees their values", async () => {
  const folder = temporaryFolder({
    "ocr/SKILL.md": skillMd("ocr", "Reads text.", "", "metadata:\n  env: OCR_TOKEN\n"),
    "ocr/scripts/read.sh": 'echo "with $OCR_TOKEN"; echo "$OCR_TOKEN" > "$OUTPUT_DIR/log.txt"\n',
  });
  const secrets = () => ({ OCR_TOKEN: "canary-7f3a9Q" });
  const skillset = await createSkillset([folder], { env: () => true, scripts: { runner: "subprocess", secrets } });
  const server = createSkillsServer(skillset);
  onTestFinished(() => server.close());
  const { client, asked } = await connect(server, "HTTP", "modern", {});
  const result = await client.callTool({
    name: "run_skill_script",
    arguments: { skill: "ocr", script: "scripts/read.sh" },
  });
  expect(asked[0]?.message).toContain("\nIt gets OCR_TOKEN of the server.");
  expect(textOf(result)).toContain("<stdout>\nwith [OCR_TOKEN]\n</stdout>");
  expect(JSON.stringify(result)).not.toContain("canary");
  expect(result.content).toContainEqual(
    expect.objectContaining({ resource: expect.objectContaining({ text: "[OCR_TOKEN]\n" }) }),
  );
});
