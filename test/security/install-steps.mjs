// Creates a home or installs skills, and is killed at a file operation: node install-steps.mjs home|install STEP SOURCE FOLDER.
// With STEP 0 it runs to the end, and prints the number of operations.
import { createTemporaryHome, installSkills } from "../../packages/skillset/src/node/index.ts";
import { watchOperations } from "./file-faults.ts";
import { itemsFrom } from "./install-items.ts";

const [what, step, source = "", folder = ""] = process.argv.slice(2);

async function act() {
  if (what === "install") await installSkills(`${folder}/agent/skills`, itemsFrom(source));
  else await (await createTemporaryHome({ agent: "claude", skills: source })).close();
}

const count = await watchOperations((_operation, number) => {
  if (number === Number(step)) process.kill(process.pid, "SIGKILL");
}, act);
console.log(count);
