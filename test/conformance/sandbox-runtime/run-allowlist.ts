// Starts two servers, runs a script that may reach one of them, and prints what happened as JSON. A separate program,
// because the runner refuses to run as root.
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxRuntime } from "../../../packages/skillset/src/scripts/runners/sandbox-runtime.ts";

/** Asks each server, connects to each without a proxy, and prints its own variables. */
const SCRIPT = `
import { connect } from "node:net";
const answers = [];
const [host, ...ports] = process.argv.slice(2);
for (const port of ports) {
  const fetched = await fetch("http://" + host + ":" + port + "/").then(({ status }) => status, () => "failed");
  const direct = await new Promise((resolve) => {
    connect(Number(port), "127.0.0.1").once("connect", () => resolve("connected")).once("error", () => resolve("failed"));
  });
  answers.push({ fetched, direct });
}
console.log(JSON.stringify({ answers, variables: Object.keys(process.env).sort(), key: process.env.API_KEY }));
process.exit(0);
`;

const root = realpathSync(mkdtempSync(join(tmpdir(), "allowlist-")));
const requests = [0, 0];
const servers = await Promise.all(
  requests.map(async (_, index): Promise<Server> => {
    const server = createServer((_request, response) => {
      requests[index] = (requests[index] ?? 0) + 1;
      response.end("reached");
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    return server;
  }),
);
try {
  const ports = servers.map((server) => String((server.address() as AddressInfo).port));
  const [skillFolder, outputFolder] = [join(root, "skill"), join(root, "output")];
  for (const folder of [skillFolder, outputFolder]) mkdirSync(folder);
  writeFileSync(join(skillFolder, "ask.mjs"), SCRIPT);
  chmodSync(skillFolder, 0o755);
  const results = [];
  for (const [host, allowedDomains] of [
    ["127.0.0.1", [`127.0.0.1:${ports[0]}`]],
    ["127.0.0.1", []],
    // Names that resolve to this machine.
    ["localhost", [`localhost:${ports[0]}`]],
    [hostname(), [`${hostname()}:${ports[0]}`]],
  ] as const) {
    const runner = sandboxRuntime({ allowedDomains });
    const end = await runner.run({
      skillFolder,
      outputFolder,
      script: "ask.mjs",
      args: [host, ...ports],
      env: { API_KEY: "canary" },
      limits: { time: 30_000, output: 100_000, memory: 2 ** 29, processes: 64, files: 1_000_000 },
      signal: new AbortController().signal,
      onOutput: () => {},
    });
    results.push({ check: await runner.check(), end, requests: requests.splice(0, 2, 0, 0) });
  }
  console.log(JSON.stringify(results));
} finally {
  for (const server of servers) server.close();
  rmSync(root, { recursive: true, force: true });
}
