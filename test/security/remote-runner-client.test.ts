import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { ScriptEnd } from "skillset/scripts";
import { expect, onTestFinished, test } from "vitest";
import { httpRunner } from "../../examples/remote-runner/http-runner.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const TOKEN = "a-token-for-these-tests";

/** Runs a script with a service that answers every run with this end. */
async function runWith(end: unknown, output: number): Promise<ScriptEnd> {
  const service = createServer((request, response) => {
    request.resume();
    response.end(
      request.url === "/missing" ? '{"missing":[]}' : `${JSON.stringify({ type: "end", end, output: {} })}\n`,
    );
  }).listen(0, "127.0.0.1");
  await once(service, "listening");
  onTestFinished(() => void service.close());
  const { port } = service.address() as AddressInfo;
  const folder = temporaryFolder({ "skill/a.sh": "" });
  mkdirSync(join(folder, "output"));
  return httpRunner({ url: `http://127.0.0.1:${port}`, token: TOKEN }).run({
    skillFolder: join(folder, "skill"),
    outputFolder: join(folder, "output"),
    script: "a.sh",
    args: [],
    limits: { time: 10_000, output, memory: 2 ** 29, processes: 64, files: 1_000_000 },
    signal: new AbortController().signal,
    onOutput: () => {},
  });
}

test.each([
  "http://scripts.example",
  "http://10.0.0.1:8420",
  "http://localhost.example",
  "http://127.0.0.1.example",
  "ftp://localhost",
])("the client refuses %s: the token and the secrets would be sent in plain text", (url) => {
  expect(() => httpRunner({ url, token: TOKEN })).toThrow("must start with https://");
});

test.each(["https://scripts.example", "http://localhost:8420", "http://127.0.0.2:8420", "http://[::1]:8420"])(
  "the client accepts %s",
  (url) => {
    expect(httpRunner({ url, token: TOKEN }).level).toBe("remote");
  },
);

const RAN = { command: ["a.sh"], stdout: "a", stderr: "b" };

test.each([
  null,
  "exited",
  {},
  { ...RAN, outcome: "exited" },
  { ...RAN, outcome: "exited", exitCode: "0" },
  { ...RAN, outcome: "exited", exitCode: 0.5 },
  { ...RAN, outcome: "exited", exitCode: 0, stdout: { length: 1 } },
  { ...RAN, outcome: "exited", exitCode: 0, command: [1] },
  { ...RAN, outcome: "succeeded", exitCode: 0 },
  { outcome: "refused" },
])("the client does not trust the end %j", async (end) => {
  expect(await runWith(end, 1_000)).toEqual({
    outcome: "refused",
    reason: "The service that runs scripts sent an invalid answer.",
  });
});

test("the client drops what it does not know, and cuts the output at the limit", async () => {
  const end = { ...RAN, outcome: "exited", exitCode: 3, stdout: "é".repeat(1_000), more: "x", __proto__: { a: 1 } };
  expect(await runWith(end, 101)).toEqual({ ...RAN, outcome: "exited", exitCode: 3, stdout: "é".repeat(50) });
  expect(await runWith({ ...RAN, outcome: "timed-out" }, 101)).toEqual({ ...RAN, outcome: "timed-out" });
});
