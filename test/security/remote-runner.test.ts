import { createHash, randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { createScriptRunner, type ScriptEnd, type ScriptJob, type ScriptRunner, subprocess } from "skillset/scripts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { httpRunner } from "../../examples/remote-runner/http-runner.ts";
import { createService, type Service } from "../../examples/remote-runner/service.ts";

const TOKEN = "a-token-for-these-tests";
const runner = (await createScriptRunner("bubblewrap")).runner ?? subprocess();
const root = mkdtempSync(join(tmpdir(), "remote-runner-test-"));
// As root, the sandbox runs as another user.
chmodSync(root, 0o711);
process.env.TMPDIR = root;
let running = 0;
let most = 0;
const counted: ScriptRunner = {
  ...runner,
  run: async (job) => {
    most = Math.max(most, ++running);
    return runner.run(job).finally(() => running--);
  },
};
let service: Service;
let url = "";

beforeAll(async () => {
  service = createService({ runner: counted, token: TOKEN, atATime: 4, waiting: 60 });
  url = await listen(service.server);
});
afterAll(async () => {
  await service.close(0);
  rmSync(root, { recursive: true, force: true });
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const authorization = `Bearer ${TOKEN}`;
const call = (method: string, path: string, body?: string, headers: Record<string, string> = { authorization }) =>
  fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) });
const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Sends a script, and returns the body of a run of it. */
async function prepare(script: string, more: object = {}): Promise<Record<string, unknown>> {
  const digest = digestOf(script);
  expect((await call("PUT", `/files/${digest}`, script)).status).toBe(201);
  const limits = { time: 20_000, output: 10_000_000, memory: 2 ** 29, processes: 64, files: 10_000_000 };
  return { skill: { "a.sh": digest }, output: {}, script: "a.sh", args: [], stdin: "", env: {}, limits, ...more };
}

async function post(body: unknown): Promise<{ status: number; text: string }> {
  const answer = await call("POST", `/runs/${randomUUID()}`, JSON.stringify(body));
  return { status: answer.status, text: await answer.text() };
}

/** The processes with a text in their command line. */
const processesWith = (text: string): string[] =>
  readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "latin1").includes(text);
    } catch {
      return false;
    }
  });

const runFolders = (): string[] =>
  readdirSync(root).flatMap((name) => {
    const isService = name.startsWith("remote-runner-") && readdirSync(join(root, name)).includes("runs");
    return isService ? readdirSync(join(root, name, "runs")) : [];
  });

async function until(what: () => boolean): Promise<void> {
  for (let waited = 0; !what() && waited < 10_000; waited += 50) await pause(50);
  expect(what()).toBe(true);
}

describe("the token", () => {
  const wrong: Record<string, string>[] = [
    {},
    { authorization: "" },
    { authorization: "Bearer" },
    { authorization: "Bearer " },
    { authorization: "Bearer wrong" },
    { authorization: TOKEN },
    { authorization: `Basic ${TOKEN}` },
    { authorization: `Bearer ${TOKEN.slice(0, -1)}` },
    { authorization: `Bearer ${TOKEN}x` },
    { authorization: `Bearer ${TOKEN.toUpperCase()}` },
    { "x-token": TOKEN },
  ];
  test.each([
    ["GET", "/check"],
    ["POST", "/missing"],
    ["GET", `/files/${digestOf("x")}`],
    ["PUT", `/files/${digestOf("x")}`],
    ["POST", `/runs/${randomUUID()}`],
    ["DELETE", `/runs/${randomUUID()}`],
    ["GET", "/nothing"],
  ])("is needed for %s %s", async (method, path) => {
    for (const headers of wrong) {
      const answer = await call(method, path, method === "GET" ? undefined : "{}", headers);
      expect([answer.status, await answer.json()]).toEqual([401, { error: "The token is missing or wrong." }]);
    }
    // The same request with the token gets another answer.
    expect((await call(method, path, method === "GET" ? undefined : "{}")).status).not.toBe(401);
  });

  test("is not sent on to another address", async () => {
    const seen: (string | undefined)[] = [];
    const other = createServer(({ headers }, response) => {
      seen.push(headers.authorization);
      response.end("{}");
    });
    const target = await listen(other);
    const redirecting = createServer((_, response) => void response.writeHead(307, { location: target }).end());
    const from = await listen(redirecting);
    expect(await httpRunner({ url: from, token: TOKEN }).check()).toBe("the service cannot be reached.");
    expect(seen).toEqual([]);
    for (const server of [other, redirecting]) server.close();
  });
});

describe("bodies", () => {
  test("that say they are too large are refused before they are read", async () => {
    const answer = await raw(
      `PUT /files/${digestOf("x")} HTTP/1.1\r\nhost: a\r\nauthorization: ${authorization}\r\ncontent-length: 99999999999\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413/);
  });

  test("that turn out too large are refused", async () => {
    const chunk = new Uint8Array(1_000_000).fill(32);
    let sent = 0;
    const body = new ReadableStream({
      pull: (controller) => (sent++ < 50 ? controller.enqueue(chunk) : controller.close()),
    });
    const request = fetch(`${url}/missing`, {
      method: "POST",
      headers: { authorization },
      body,
      duplex: "half",
    } as RequestInit);
    const status = await request.then(
      (answer) => answer.status,
      () => 413,
    );
    expect(status).toBe(413);
    expect((await call("GET", "/check")).status).toBe(200);
  });

  test("with another digest than their name are not kept", async () => {
    const answer = await call("PUT", `/files/${digestOf("one")}`, "two");
    expect(answer.status).toBe(400);
    expect((await call("GET", `/files/${digestOf("one")}`)).status).toBe(404);
  });

  test("of any kind get an answer of the client's fault", async () => {
    const values = fc.oneof(
      fc.json(),
      fc.string(),
      fc.jsonValue().map((value) => JSON.stringify({ skill: value, output: value, args: value, limits: value })),
    );
    const property = fc.asyncProperty(values, async (body) => {
      for (const path of ["/missing", `/runs/${randomUUID()}`]) {
        const { status } = await call("POST", path, body);
        expect(status).toBe(400);
      }
    });
    await fc.assert(property, { numRuns: Math.min(Number(process.env.CASES ?? 100), 2_000) });
  });
});

describe("names of files", () => {
  const names = [
    "../a",
    "../../a",
    "a/../../b",
    "/etc/passwd",
    "//a",
    "a//b",
    ".",
    "..",
    "a/.",
    "a\\..\\..\\b",
    "a\0b",
    "a\nb",
    "\u0001",
    "",
    "a/",
    "x".repeat(300),
    `${"a/".repeat(20)}a`,
    "\ud800",
  ];
  test.each(names)("such as %j are refused", async (name) => {
    const body = await prepare("echo ran\n");
    const digest = digestOf("echo ran\n");
    const skill = { "a.sh": digest, [name]: digest };
    for (const hostile of [
      { ...body, skill },
      { ...body, output: { [name]: digest } },
      { ...body, skill, script: name },
    ])
      expect((await post(hostile)).status).toBe(400);
    expect(runFolders()).toEqual([]);
    expect(await post(body)).toMatchObject({ status: 200, text: expect.stringContaining("ran") });
  });

  test("that are both a file and a folder are refused without a path of the machine", async () => {
    const body = await prepare("echo ran\n");
    const digest = digestOf("echo ran\n");
    const { status, text } = await post({ ...body, skill: { "a.sh": digest, "a.sh/b": digest } });
    expect([status, text]).toEqual([500, '{"error":"The request failed."}']);
    expect(runFolders()).toEqual([]);
  });

  test("that name other files of the machine are not served", async () => {
    for (const path of ["/files/../../../etc/passwd", "/files/%2e%2e%2fetc%2fpasswd", "/files/", "/runs/../files"]) {
      const answer = await raw(
        `GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: ${authorization}\r\nconnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 404/);
    }
  });
});

/** Sends text over a connection, and returns the beginning of the answer. */
function raw(text: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(text));
  socket.setEncoding("utf8").once("data", (data: string) => {
    resolve(data);
    socket.destroy();
  });
  socket.once("error", reject).once("close", () => reject(new Error("closed")));
  return promise;
}

describe("runs", () => {
  test("50 at the same time all get their own result, four at a time", async () => {
    most = 0;
    const body = await prepare('echo "$1" | tee "$OUTPUT_DIR/out"\nsleep 0.05\n');
    const ends = await Promise.all(Array.from({ length: 50 }, (_, index) => post({ ...body, args: [`run ${index}`] })));
    expect(ends.map(({ status, text }) => [status, lastLine(text).end.stdout])).toEqual(
      ends.map((_, index) => [200, `run ${index}\n`]),
    );
    expect(ends.map(({ text }) => lastLine(text).output)).toEqual(
      ends.map((_, index) => ({ out: digestOf(`run ${index}\n`) })),
    );
    expect(most).toBe(4);
    expect(runFolders()).toEqual([]);
  });

  test("that are too many are refused, and later ones run", async () => {
    const small = createService({ runner, token: TOKEN, atATime: 1, waiting: 2 });
    const client = httpRunner({ url: await listen(small.server), token: TOKEN });
    const refused: ScriptEnd[] = [];
    const others = new AbortController();
    const runs = Array.from({ length: 10 }, async () => {
      const end = await runWith(client, "sleep 15\n", { signal: others.signal });
      if (end.outcome !== "refused") return;
      refused.push(end);
      // The others would be accepted as soon as one of these ends.
      if (refused.length === 7) others.abort();
    });
    await Promise.all(runs);
    expect(refused).toHaveLength(7);
    expect(refused[0]).toMatchObject({ reason: "The service that runs scripts is busy. Try again later." });
    expect(await runWith(client, "echo after\n")).toMatchObject({ outcome: "exited", stdout: "after\n" });
    await small.close();
  });

  test("end with all their processes when the client disconnects", async () => {
    const mark = `77${Date.now()}`;
    const controller = new AbortController();
    const body = await prepare(`echo started; ( setsid sleep ${mark} & ) ; sleep ${mark}\n`);
    const answer = await fetch(`${url}/runs/${randomUUID()}`, {
      method: "POST",
      headers: { authorization },
      body: JSON.stringify(body),
      signal: controller.signal,
    });
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    await until(() => processesWith(mark).length > 1);
    controller.abort();
    await reader.cancel().catch(() => {});
    await until(() => processesWith(mark).length === 0 && runFolders().length === 0);
  });

  test("do not start if the client disconnects while they wait", async () => {
    const mark = `78${Date.now()}`;
    const busy = await prepare("sleep 1\n");
    const before = Array.from({ length: 4 }, () => post(busy));
    await until(() => running === 4);
    const controller = new AbortController();
    const body = await prepare(`sleep ${mark}\n`);
    const waiting = fetch(`${url}/runs/${randomUUID()}`, {
      method: "POST",
      headers: { authorization },
      body: JSON.stringify(body),
      signal: controller.signal,
    });
    await waiting;
    controller.abort();
    await Promise.all(before);
    await until(() => runFolders().length === 0);
    expect(processesWith(mark)).toEqual([]);
  });

  test("of clients that do not read their output, and clients that do not finish their requests, hold nobody", async () => {
    const body = JSON.stringify(
      await prepare("i=0; while [ $i -lt 1000 ]; do printf '%05000d\\n' 1; i=$((i + 1)); done\n"),
    );
    const { port } = new URL(url);
    const sockets = Array.from({ length: 20 }, (_, index) => {
      const socket = connect(Number(port), "127.0.0.1");
      const head = `host: a\r\nauthorization: ${authorization}\r\ncontent-length: ${body.length}\r\n\r\n`;
      socket.on("error", () => {}).pause();
      socket.write(`POST /runs/${randomUUID()} HTTP/1.1\r\n${head}${index % 2 === 0 ? body : body.slice(0, 10)}`);
      return socket;
    });
    await until(() => running > 0);
    expect((await post(await prepare("echo served\n"))).text).toContain("served");
    // The scripts end, although nobody reads what they wrote.
    await until(() => running === 0 && runFolders().length === 0);
    for (const socket of sockets) socket.destroy();
  });

  test("show no path of the machine", async () => {
    const texts = [
      await post(await prepare("cat /nothing; pwd; env; exit 3\n")),
      await post(await prepare("echo a\n", { script: "b.sh" })),
      await post({ ...(await prepare("echo a\n")), skill: { "a.xyz": digestOf("echo a\n") }, script: "a.xyz" }),
      await post({ ...(await prepare("echo a\n")), skill: { "a.sh": digestOf("never sent") } }),
    ].map(({ text }) => text);
    if (runner.level === "bubblewrap") for (const text of texts) expect(text).not.toContain(root);
    expect(texts[3]).toBe(JSON.stringify({ missing: [digestOf("never sent")] }));
  });

  test("get no higher limits than the service allows", async () => {
    const strict = createService({ runner, token: TOKEN, limits: { time: 300 } });
    const at = await listen(strict.server);
    const end = await runWith(httpRunner({ url: at, token: TOKEN }), "sleep 20\n");
    expect(end.outcome).toBe("timed-out");
    await strict.close();
  });

  test("are finished before the service closes, or stopped after a time, and no file is left", async () => {
    const before = readdirSync(root);
    const closing = createService({ runner, token: TOKEN });
    const at = await listen(closing.server);
    const client = httpRunner({ url: at, token: TOKEN });
    const started = (script: string) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      return { promise, end: runWith(client, script, { onOutput: () => resolve() }) };
    };
    const [short, long] = [started("echo go; sleep 0.5; echo done\n"), started("echo go; sleep 20\n")];
    await Promise.all([short.promise, long.promise]);
    await closing.close(2_000);
    expect(await short.end).toMatchObject({ outcome: "exited", stdout: "go\ndone\n" });
    expect(await long.end).toMatchObject({ outcome: "aborted", stdout: "go\n" });
    expect(readdirSync(root).filter((name) => name.startsWith("remote-runner-") && !before.includes(name))).toEqual([]);
  });
});

interface EndLine {
  readonly end: { readonly stdout: string };
  readonly output: Readonly<Record<string, string>>;
}

const lastLine = (text: string): EndLine => JSON.parse(text.trimEnd().split("\n").at(-1) ?? "") as EndLine;

async function runWith(client: ScriptRunner, script: string, job: Partial<ScriptJob> = {}): Promise<ScriptEnd> {
  const folder = mkdtempSync(join(root, "client-"));
  const [skillFolder, outputFolder] = [join(folder, "skill"), join(folder, "output")];
  for (const one of [skillFolder, outputFolder]) mkdirSync(one);
  writeFileSync(join(skillFolder, "a.sh"), script);
  return client.run({
    skillFolder,
    outputFolder,
    script: "a.sh",
    args: [],
    limits: { time: 20_000, output: 100_000, memory: 2 ** 29, processes: 64, files: 1_000_000 },
    signal: new AbortController().signal,
    onOutput: () => {},
    ...job,
  });
}

describe("a service that lies", () => {
  test.each([
    ["names with ..", { "../escaped": digestOf("evil") }],
    ["absolute names", { "/tmp/escaped": digestOf("evil") }],
    ["no digests", { a: "../../etc/passwd" }],
    ["other contents", { a: digestOf("good") }],
    ["no files", null],
  ])("writes nothing with %s", async (_, output) => {
    const lying = createServer((request, response) => {
      if (request.url === "/missing") response.end('{"missing":[]}');
      else if (request.method === "GET") response.writeHead(200, { "content-length": 4 }).end("evil");
      else
        response.end(
          `${JSON.stringify({ type: "end", end: { outcome: "exited", exitCode: 0, command: [], stdout: "", stderr: "" }, output })}\n`,
        );
    });
    const before = readdirSync(root);
    const end = await runWith(httpRunner({ url: await listen(lying), token: TOKEN }), "true\n");
    expect(end.outcome).toBe("refused");
    const [client = ""] = readdirSync(root).filter((name) => name.startsWith("client-") && !before.includes(name));
    expect(readdirSync(join(root, client)).sort()).toEqual(["output", "skill"]);
    expect(readdirSync(join(root, client, "output"))).toEqual([]);
    lying.close();
  });
});
