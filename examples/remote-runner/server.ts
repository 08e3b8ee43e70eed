import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { isIP } from "node:net";
import { createScriptRunner } from "skillset/scripts";
import { createService } from "./service.ts";

// The program of the machine that runs scripts: `RUNNER_TOKEN=… HOST=… PORT=… node server.ts`
const { HOST: host = "127.0.0.1", PORT: port = "8420", MINIMUM: minimum = "bubblewrap" } = process.env;
const isLoopback = host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
if (process.env.RUNNER_TOKEN === undefined && !isLoopback)
  fail(`Set RUNNER_TOKEN to listen on ${host}: everybody who reaches the service could run programs here.`);
const token = process.env.RUNNER_TOKEN ?? randomBytes(32).toString("base64url");
if (token.length < 16) fail("RUNNER_TOKEN must have at least 16 characters.");

const found = await createScriptRunner("auto", { minimum: minimum === "embedded" ? "embedded" : "bubblewrap" });
if (found.runner === undefined) fail(`${found.reason} ${found.fix}`);

const service = createService({ runner: found.runner, token });
service.server.listen(Number(port), host, () => {
  const address = service.server.address() as AddressInfo;
  console.log(
    `Runs scripts in ${found.runner.level} at http://${host.includes(":") ? `[${host}]` : host}:${address.port}`,
  );
  if (process.env.RUNNER_TOKEN === undefined) console.log(`Token: ${token}`);
});
service.server.on("error", (error) => fail(`Cannot listen on ${host}:${port}: ${error.message}`));
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void service.close().then(() => process.exit(0)));

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
