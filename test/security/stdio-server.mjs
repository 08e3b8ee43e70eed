// Serves skills over stdin and stdout, with tools that misbehave. See s14-stdio.test.ts.
import { spawn } from "node:child_process";
import fs, { writeSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Worker } from "node:worker_threads";
import { createSkillset, defineSkill } from "skillset";
import { createSkillsServer, serveStdio } from "skillset/mcp";

const finished = (write) => new Promise((resolve, reject) => write((error) => (error ? reject(error) : resolve())));

/** Each prints its text. */
const printers = {
  "console.log": (text) => console.log(text),
  "console.info": (text) => console.info(text),
  "console.table": (text) => console.table([text]),
  "console.dir": (text) => console.dir(text),
  "stdout.write": (text) => finished((done) => process.stdout.write(`${text}\n`, "utf8", done)),
  "stdout.write-bytes": (text) => process.stdout.write(Buffer.from(`${text}\n`)),
  "stdout.pipe": (text) => pipeline(Readable.from([`${text}\n`]), process.stdout, { end: false }),
  "fs.writeSync": (text) => fs.writeSync(1, `${text}\n`),
  "fs.writeSync-imported": (text) => writeSync(1, Buffer.from(`${text}\n`)),
  "fs.write": (text) => finished((done) => fs.write(1, `${text}\n`, done)),
  "fs.writev": (text) => finished((done) => fs.writev(1, [Buffer.from(text), Buffer.from("\n")], done)),
  "fs.writevSync": (text) => fs.writevSync(1, [Buffer.from(text), Buffer.from("\n")]),
  "fs.writeFileSync": (text) => fs.writeFileSync(1, `${text}\n`),
  "fs.appendFileSync": (text) => fs.appendFileSync(1, `${text}\n`),
  "fs.writeFile": (text) => finished((done) => fs.writeFile(1, `${text}\n`, done)),
  "fs.createWriteStream": (text) =>
    finished((done) => fs.createWriteStream("", { fd: 1, autoClose: false }).end(`${text}\n`, done)),
  "worker.console": (text) => {
    const worker = new Worker("console.log(require('node:worker_threads').workerData)", {
      eval: true,
      workerData: text,
    });
    return finished((done) => worker.once("exit", () => done()));
  },
  "child.piped": async (text) => {
    const child = spawn(process.execPath, ["-e", "console.log(process.argv[1])", text], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    for await (const chunk of child.stdout) process.stdout.write(chunk);
  },
};

const circular = {};
circular.self = circular;

/** Each fails. */
const faults = {
  throws: () => {
    throw new Error("no paper");
  },
  "throws-text": () => {
    throw "no paper";
  },
  "throws-lines": () => {
    throw new Error('one\n{"jsonrpc":"2.0","id":1,"result":{}}\ntwo');
  },
  "rejects-nothing": () => Promise.reject(),
  "rejects-null": () => Promise.reject(null),
  "rejects-symbol": () => Promise.reject(Symbol("fault")),
  "rejects-object": () => Promise.reject({ toString: null }),
  "returns-circular": () => circular,
  "returns-bigint": () => ({ big: 1n }),
  "returns-throwing-json": () => ({
    toJSON() {
      throw new Error("no JSON");
    },
  }),
};

/** Each returns a value that is not quite JSON. */
const gifts = {
  "returns-undefined": () => undefined,
  "returns-function": () => () => {},
  "returns-symbol": () => Symbol("gift"),
  "returns-nan": () => Number.NaN,
  "returns-lines": () => "one\ntwo\r\n\u2028three",
  "returns-half-an-emoji": () => "\ud83d",
};

const others = {
  echo: (input) => input,
  hang: () => new Promise(() => {}),
  "hang-until-cancelled": (_, { signal }) =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve(console.error("cancelled")))),
};

const tools = Object.entries({ ...printers, ...faults, ...gifts, ...others }).map(([name, handler]) => ({
  name,
  description: "Does it.",
  handler,
}));
const skills = await createSkillset([defineSkill({ name: "box", description: "Has tools.", body: "# Box", tools })]);
const server = createSkillsServer(skills, {
  limits: { toolTimeout: 60_000 },
  onError: ({ message }) => console.error(`error: ${message.slice(0, 200)}`),
});
const connection = await serveStdio(server);
console.log("printed right after the start");
await connection.closed;
console.error("closed");
