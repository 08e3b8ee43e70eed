import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { scriptRunnerContract } from "@skillset/testing";
import { createScriptRunner } from "skillset/scripts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { httpRunner } from "../../examples/remote-runner/http-runner.ts";

const isMissing = (await createScriptRunner("bubblewrap")).runner === undefined;

/** Another process, as on another machine. */
describe("the service of examples/remote-runner", () => {
  const token = crypto.randomUUID();
  let service: ChildProcess;
  let url = "";

  beforeAll(async () => {
    if (!isMissing) ({ service, url } = await startService({ RUNNER_TOKEN: token }));
  });
  afterAll(async () => {
    if (isMissing) return;
    service.kill("SIGTERM");
    expect(await once(service, "exit")).toEqual([0, null]);
  });

  if (isMissing) test.skip("needs bubblewrap: apt-get install bubblewrap", () => {});
  for (const { id, title, run } of isMissing ? [] : scriptRunnerContract)
    test(`${id}: ${title}`, () =>
      run({ name: "remote-runner", runner: httpRunner({ url, token, level: "bubblewrap" }) }));

  if (!isMissing)
    test("has the sandbox that the client expects, or the client refuses it", async () => {
      expect(await httpRunner({ url, token, level: "bubblewrap" }).check()).toBeUndefined();
      expect(await httpRunner({ url, token, level: "container" }).check()).toBe(
        "the service has the sandbox 'bubblewrap', not 'container'.",
      );
    });
});

describe("the program of examples/remote-runner", () => {
  test.each(["0.0.0.0", "::", "192.0.2.1"])("does not listen on %s without a token", async (HOST) => {
    const { status, stderr } = await startService({ HOST }).then(
      () => ({ status: 0, stderr: "" }),
      (error: { status: number; stderr: string }) => error,
    );
    expect(status).toBe(1);
    expect(stderr).toContain(`Set RUNNER_TOKEN to listen on ${HOST}`);
  });

  test("does not accept a short token", async () => {
    await expect(startService({ RUNNER_TOKEN: "short" })).rejects.toMatchObject({ status: 1 });
  });
});

/** Rejects with the status and stderr if the program ends. */
async function startService(variables: Record<string, string>): Promise<{ service: ChildProcess; url: string }> {
  const env = { PATH: process.env.PATH ?? "", TMPDIR: process.env.TMPDIR ?? "/tmp", PORT: "0", ...variables };
  const service = spawn(process.execPath, [resolve("examples/remote-runner/server.ts")], { env });
  let stderr = "";
  service.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = once(service, "close").then(([status]) =>
    Promise.reject(Object.assign(new Error(stderr), { status, stderr })),
  );
  const [line] = (await Promise.race([once(service.stdout.setEncoding("utf8"), "data"), ended])) as [string];
  ended.catch(() => {});
  return { service, url: /http:\S+/.exec(line)?.[0] ?? "" };
}
