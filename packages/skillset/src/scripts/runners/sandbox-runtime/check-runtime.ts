import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { messageOf } from "../../../core/base/message-of.ts";
import type { ScriptEnd, ScriptJob } from "../../../core/script/script.ts";
import { makeTemporaryFolder } from "../../../node/copy/owned-folder.ts";
import { KNOWN_VARIABLES } from "../../process/script-command.ts";
import { tryPromises } from "../sandbox/try-promises.ts";
import { PROXY_VARIABLES } from "./launcher.ts";

/** Tests on this machine what the sandbox promises. Returns what fails. */
export async function checkRuntime(
  run: (job: ScriptJob) => Promise<ScriptEnd>,
  hasNetwork: boolean,
): Promise<string | undefined> {
  const server = createServer((connection) => void connection.on("error", () => {}).end());
  try {
    server.listen(0, "127.0.0.1").unref();
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const variables = JSON.stringify([...KNOWN_VARIABLES, ...(hasNetwork ? PROXY_VARIABLES : [])]);
    const test = { name: "check.mjs", text: SCRIPT, args: [String(port), variables], limits: { memory: 2 ** 29 } };
    return await tryPromises(makeTemporaryFolder("skillset-check-"), test, run, notStarted);
  } catch (error) {
    return notStarted(messageOf(error));
  } finally {
    server.close();
  }
}

/** In JavaScript, because macOS has no /proc to look for the network in. */
const SCRIPT = `
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
const [canary, port, variables] = process.argv.slice(2);
const { OUTPUT_DIR, SKILL_DIR } = process.env;
const works = (work) => { try { work(); return true; } catch { return false; } };
const broken = (name, isBroken) => { if (isBroken) console.log(name); };
broken("root", process.getuid() === 0);
broken("files", works(() => readFileSync(canary)));
broken("skill", works(() => writeFileSync(SKILL_DIR + "/new", "")));
broken("output", !works(() => writeFileSync(OUTPUT_DIR + "/new", "written\\n")));
broken("environment", Object.keys(process.env).some((name) => !JSON.parse(variables).includes(name) && !name.startsWith("__CF")));
broken("processes", works(() => readFileSync("/proc/1/stat")) && readdirSync("/proc").filter(Number).length > 10);
const end = (isConnected) => { broken("network", isConnected); console.log("tested"); process.exit(0); };
connect(Number(port), "127.0.0.1").once("connect", () => end(true)).once("error", () => end(false));
`;

function notStarted(reason: string): string {
  const isDenied = process.platform === "linux" && /permission|permitted|uid map|namespace/i.test(reason);
  const fix = isDenied ? " Allow user namespaces: on Ubuntu 24.04 and later with an AppArmor profile for bwrap." : "";
  return `the sandbox does not start: ${reason.split("\n")[0]}${fix}`;
}
