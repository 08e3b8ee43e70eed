import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { endWithTest } from "../processes.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { report } from "./report.ts";

/** A hang is a failure; nothing here measures speed. */
const DEADLINE = 30_000;
const PROGRAM = fileURLToPath(new URL("stdio-server.mjs", import.meta.url));
const COMMAND = fileURLToPath(new URL("../../packages/skillset/bin/skillset.js", import.meta.url));

let tried = 0;
let held = 0;
afterAll(() => {
  report("S14", { tried: "prints, faults, malformed lines and ends", cases: tried, through: tried - held });
});

interface Message {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly result?: { readonly isError?: boolean; readonly content?: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number; readonly message: string };
}

/** A process that speaks MCP on stdin and stdout, with everything that it wrote. */
class Server {
  readonly child: ChildProcess;
  /** The exit code or the signal, after all output has arrived. */
  readonly ended: Promise<number | string | null>;
  stderr = "";
  readonly #stdout: Buffer[] = [];
  readonly #pipe: Pipe | undefined;
  #id = 0;

  constructor(args: readonly string[], pipe?: Pipe) {
    this.#pipe = pipe;
    this.child = spawn(process.execPath, args, { stdio: [pipe?.reader ?? "pipe", "pipe", "pipe"] });
    this.child.stdout?.on("data", (chunk: Buffer) => this.#stdout.push(chunk));
    this.child.stderr?.setEncoding("utf8").on("data", (chunk: string) => (this.stderr += chunk));
    this.child.stdin?.on("error", () => {});
    this.ended = new Promise((resolve) => this.child.once("close", (code, signal) => resolve(signal ?? code)));
  }

  get stdout(): Buffer {
    return Buffer.concat(this.#stdout);
  }

  /** The messages so far. Any other output on stdout, or half a line at the end, is an error. */
  get messages(): readonly Message[] {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(this.stdout);
    const lines = text.split("\n");
    expect(lines.pop(), "half a line").toBe("");
    return lines.map((line) => {
      const message = JSON.parse(line) as Message & { jsonrpc: string };
      expect(message.jsonrpc).toBe("2.0");
      return message;
    });
  }

  write(bytes: string | Uint8Array): void {
    if (this.#pipe !== undefined) writeSync(this.#pipe.writer, Buffer.from(bytes as string));
    else this.child.stdin?.write(bytes);
  }

  send(message: object): void {
    this.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  /** Sends a request and returns its id. */
  begin(method: string, params: object): number {
    const id = ++this.#id;
    this.send({ id, method, params });
    return id;
  }

  async answerTo(id: number): Promise<Message> {
    return this.until(() => this.#whole().find((message) => message.id === id && message.method === undefined));
  }

  async initialise(): Promise<this> {
    const clientInfo = { name: "test", version: "1.0.0" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    await this.answerTo(this.begin("initialize", params));
    this.send({ method: "notifications/initialized" });
    return this;
  }

  call(tool: string, input: unknown): Promise<Message> {
    return this.answerTo(this.beginCall(tool, input));
  }

  beginCall(tool: string, input: unknown): number {
    return this.begin("tools/call", { name: "call_skill_tool", arguments: { skill: "box", tool, input } });
  }

  /** Waits for a value; throws if the process ends first. */
  async until<Value>(find: () => Value | undefined | false): Promise<Value> {
    const end = Date.now() + DEADLINE;
    for (;;) {
      const found = find();
      if (found !== undefined && found !== false) return found;
      if (Date.now() > end || this.child.exitCode !== null) {
        throw new Error(
          `The expected output did not appear. stdout: ${this.stdout.subarray(0, 2_000)}\nstderr: ${this.stderr}`,
        );
      }
      await sleep(5);
    }
  }

  /** Closes stdin, and returns how the process ended. */
  end(): Promise<number | string | null> {
    this.child.stdin?.end();
    return this.hasEnded();
  }

  hasEnded(): Promise<number | string | null> {
    return Promise.race([this.ended, sleep(DEADLINE, "still alive", { ref: false })]);
  }

  #whole(): readonly Message[] {
    const text = this.stdout.toString();
    const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
    return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as Message);
  }
}

/** Starts a server that ends with the test. */
function launch(args: readonly string[], pipe?: Pipe): Server {
  const server = new Server(args, pipe);
  endWithTest(server.child);
  return server;
}

const start = (): Promise<Server> => launch([PROGRAM]).initialise();

/** One server for all tests of a suite: each test leaves it unchanged. */
function startOnce(): () => Server {
  let server: Server;
  beforeAll(async () => {
    server = await new Server([PROGRAM]).initialise();
  });
  afterAll(async () => {
    expect(await server.end()).toBe(0);
    expect(server.messages.length).toBeGreaterThan(1);
  });
  return () => server;
}

const textOf = ({ result }: Message): string | undefined => result?.content?.[0]?.text;

/** Checks that the next call works, and that stdout contains only the protocol. */
async function goesOn(server: Server): Promise<void> {
  expect(textOf(await server.call("echo", "still here"))).toBe("still here");
  expect(server.messages.length).toBeGreaterThan(1);
  held++;
}

describe("a handler's output is redirected to stderr, and stdout contains only the protocol:", () => {
  const printers = [
    "console.log",
    "console.info",
    "console.table",
    "console.dir",
    "stdout.write",
    "stdout.write-bytes",
    "stdout.pipe",
    "fs.writeSync",
    "fs.writeSync-imported",
    "fs.write",
    "fs.writev",
    "fs.writevSync",
    "fs.writeFileSync",
    "fs.appendFileSync",
    "fs.writeFile",
    "fs.createWriteStream",
    "worker.console",
    "child.piped",
  ];
  test("each way to print", async () => {
    const server = await start();
    for (const printer of printers) {
      tried++;
      const text = `PRINTED by ${printer}`;
      const { result } = await server.call(printer, text);
      expect(result, printer).toBeDefined();
      expect(result?.isError, printer).toBeUndefined();
      await server.until(() => server.stderr.includes(text));
      await goesOn(server);
    }
    const forged = '{"jsonrpc":"2.0","id":4711,"result":{}}';
    await server.call("console.log", forged);
    await server.call("fs.writeSync", forged);
    expect(await server.end()).toBe(0);
    expect(server.messages.filter(({ id }) => id === 4711)).toEqual([]);
    expect(server.stdout.includes("PRINTED by")).toBe(false);
    expect(server.stderr).toContain("printed right after the start");
  });

  test("all ways at once, with much output", async () => {
    tried++;
    const server = await start();
    const text = `PRINTED ${"x".repeat(100_000)}`;
    const ids = printers.flatMap((printer) => [server.beginCall(printer, text), server.beginCall("echo", printer)]);
    for (const id of ids) await server.answerTo(id);
    await goesOn(server);
    expect(await server.end()).toBe(0);
    expect(server.stdout.includes("PRINTED")).toBe(false);
    expect(server.messages).toHaveLength(ids.length + 2);
  });
});

describe("after any fault of a handler, the next call works:", () => {
  const shared = startOnce();

  test.each([
    "throws",
    "throws-text",
    "throws-lines",
    "rejects-nothing",
    "rejects-null",
    "rejects-symbol",
    "rejects-object",
    "returns-circular",
    "returns-bigint",
    "returns-throwing-json",
  ])("%s is a one-line error result", async (fault) => {
    tried++;
    const server = shared();
    const answer = await server.call(fault, {});
    expect(answer.result?.isError).toBe(true);
    expect(textOf(answer)).toMatch(new RegExp(`^Tool '${fault}' of skill 'box' .+$`));
    await goesOn(server);
  });

  test.each([
    ["returns-undefined", "null"],
    ["returns-function", "null"],
    ["returns-symbol", "null"],
    ["returns-nan", "null"],
    ["returns-lines", "one\ntwo\r\n\u2028three"],
    ["returns-half-an-emoji", "\ud83d"],
  ])("%s becomes the text %j", async (gift, text) => {
    tried++;
    const server = shared();
    expect(textOf(await server.call(gift, {}))).toBe(text);
    await goesOn(server);
  });

  test("a hanging handler does not block the others, and receives the cancellation", async () => {
    tried++;
    const server = await start();
    server.beginCall("hang", {});
    const requestId = server.beginCall("hang-until-cancelled", {});
    await goesOn(server);
    server.send({ method: "notifications/cancelled", params: { requestId } });
    await server.until(() => server.stderr.includes("cancelled"));
    await server.call("echo", 1);
    expect(server.messages.find(({ id }) => id === requestId)).toBeUndefined();
  });
});

describe("the server survives a line that is not a message:", () => {
  const shared = startOnce();
  const request = (change: object): string =>
    JSON.stringify({ jsonrpc: "2.0", id: 900, method: "tools/list", params: {}, ...change });
  const lines: Readonly<Record<string, string | Uint8Array>> = {
    "an empty line": "",
    spaces: "   \t ",
    "a carriage return": "\r",
    words: "GET / HTTP/1.1",
    "half an object": '{"jsonrpc":"2.0"',
    "no object": "17",
    null: "null",
    "an empty object": "{}",
    "a batch": `[${request({})}]`,
    "an empty batch": "[]",
    "another version": request({ jsonrpc: "1.0" }),
    "no version": request({ jsonrpc: undefined }),
    "an id that is null": request({ id: null }),
    "an id that is an object": request({ id: {} }),
    "an id that is a fraction": request({ id: 1.5 }),
    "a method that is a number": request({ method: 7 }),
    "a method that is unknown": request({ method: "no/such" }),
    "a method of Object": request({ method: "__proto__" }),
    "params that are a text": request({ params: "text" }),
    "params that are a list": request({ params: [] }),
    "params that are null": request({ params: null }),
    "a tool's name that is a number": request({ method: "tools/call", params: { name: 7 } }),
    "arguments that are a list": request({ method: "tools/call", params: { name: "activate_skill", arguments: [] } }),
    "an unknown notification": '{"jsonrpc":"2.0","method":"notifications/nothing"}',
    "a cancellation of nothing": '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345}}',
    "an answer to nothing": '{"jsonrpc":"2.0","id":12345,"result":{}}',
    "an error to nothing": '{"jsonrpc":"2.0","id":12345,"error":{"code":1,"message":"x"}}',
    "a second handshake": request({ method: "initialize", params: { protocolVersion: 1 } }),
    "invalid UTF-8": new Uint8Array([0xff, 0xfe, 0x80, 0xc0]),
    "invalid UTF-8 in an object": Buffer.concat([Buffer.from('{"jsonrpc":"'), Buffer.from([0xff]), Buffer.from('"}')]),
    "NUL bytes": new Uint8Array(100),
    "a byte order mark": `\ufeff${request({})}`,
    "a key of Object": '{"__proto__":{"jsonrpc":"2.0"},"id":1}',
    "10,000 open brackets": "[".repeat(10_000),
    "10,000 open objects": '{"a":'.repeat(10_000),
    "1 MB of nothing": " ".repeat(1_000_000),
  };

  test.each(Object.entries(lines))("%s", async (_, line) => {
    tried++;
    const server = shared();
    const before = server.messages.length;
    server.write(line);
    server.write("\n");
    await goesOn(server);
    // At most one answer to the line, besides the answer to the valid call.
    const more = server.messages.slice(before).filter((message) => textOf(message) !== "still here");
    expect(more.length).toBeLessThanOrEqual(1);
    for (const { id } of more) expect([undefined, null, 900, 1.5]).toContain(id);
  });

  test("100 lines of garbage", async () => {
    tried++;
    const server = await start();
    for (let index = 0; index < 100; index++) server.write(`garbage ${index} {"jsonrpc":\n`);
    await goesOn(server);
    expect(server.messages).toHaveLength(2);
    expect(await server.end()).toBe(0);
  });

  test("a message in pieces is one message, and many messages in one piece are many", async () => {
    tried++;
    const server = await start();
    const bytes = Buffer.from(`${request({ id: 1000, method: "ping" })}\n`);
    for (const byte of bytes) {
      server.write(new Uint8Array([byte]));
      await sleep(0);
    }
    await server.answerTo(1000);
    const ids = Array.from({ length: 50 }, (_, index) => 2000 + index);
    server.write(ids.map((id) => `${request({ id, method: "ping" })}\n`).join(""));
    for (const id of ids) await server.answerTo(id);
    await goesOn(server);
  });

  test("but a line of more than 10 MB ends the process cleanly", async () => {
    tried++;
    const server = await start();
    server.write("x".repeat(11 * 1024 * 1024));
    expect(await server.hasEnded()).toBe(0);
    expect(server.messages).toHaveLength(1);
    expect(server.stderr).toMatch(/error: .*(?:buffer|size|exceed)/i);
    held++;
  });
});

interface Pipe {
  readonly reader: number;
  readonly writer: number;
}

/** Creates a pipe that never ends for its reader, because this process keeps it open for writing. */
function endlessPipe(): Pipe {
  const path = join(temporaryFolder(), "pipe");
  execFileSync("mkfifo", [path]);
  const writer = openSync(path, "r+");
  const reader = openSync(path, "r");
  onTestFinished(() => {
    closeSync(writer);
    closeSync(reader);
  });
  return { reader, writer };
}

/** Starts a program that starts the server. */
function startBelow(args: readonly string[]): Server {
  const code = `require("node:child_process").spawn(process.execPath, ${JSON.stringify(args)}, { stdio: "inherit" }); setInterval(() => {}, 1000);`;
  return launch(["-e", code], endlessPipe());
}

const folder = (): string => temporaryFolder({ "pdf/SKILL.md": skillMd("pdf") });
const programs: Readonly<Record<string, () => readonly string[]>> = {
  "a program that serves": () => [PROGRAM],
  "skillset serve": () => [COMMAND, "serve", folder()],
  "skillset serve --watch": () => [COMMAND, "serve", folder(), "--watch"],
};

describe.each(Object.entries(programs))("%s", (_, argumentsOf) => {
  test("ends when stdin does", async () => {
    tried++;
    const server = await launch(argumentsOf()).initialise();
    expect(await server.end()).toBe(0);
    expect(server.messages).toHaveLength(1);
    held++;
  });

  test("ends when stdin does before the first message", async () => {
    tried++;
    const server = launch(argumentsOf());
    expect(await server.end()).toBe(0);
    expect(server.stdout).toHaveLength(0);
    held++;
  });

  test("ends when stdin does in the middle of a line", async () => {
    tried++;
    const server = await launch(argumentsOf()).initialise();
    server.write('{"jsonrpc":"2.0","id":5,"meth');
    expect(await server.end()).toBe(0);
    expect(server.messages).toHaveLength(1);
    held++;
  });

  test("ends when the program that started it dies, even if stdin stays open", async () => {
    tried++;
    const server = await startBelow(argumentsOf()).initialise();
    expect(server.child.kill("SIGKILL")).toBe(true);
    // The output ends when the last process that writes to it, the server, is gone.
    expect(await server.hasEnded()).toBe("SIGKILL");
    expect(server.messages).toHaveLength(1);
    held++;
  });
});

test("a program ends when stdin does while a handler hangs, even if the handler ignores its signal", async () => {
  tried++;
  const server = await start();
  server.beginCall("hang", {});
  server.beginCall("hang-until-cancelled", {});
  await server.call("echo", 1);
  expect(await server.end()).toBe(0);
  expect(server.stderr).toContain("cancelled");
  expect(server.messages).toHaveLength(2);
  held++;
});

test("skillset serve serves the skills of a folder, and stdout contains only the protocol", async () => {
  tried++;
  const server = await launch([COMMAND, "serve", folder()]).initialise();
  const answer = await server.answerTo(
    server.begin("tools/call", { name: "activate_skill", arguments: { name: "pdf" } }),
  );
  expect(textOf(answer)).toContain("# pdf");
  server.write("garbage\n");
  expect((await server.answerTo(server.begin("tools/list", {}))).result).toBeDefined();
  expect(server.messages).toHaveLength(3);
  expect(await server.end()).toBe(0);
  held++;
});
