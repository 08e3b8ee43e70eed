// Trusts and forgets one skill repeatedly, and prints how often another process overwrote the change.
// node change-trust.mjs store|naive STORE FOLDER ROUNDS: naive reads, changes and writes without a lock.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { TrustStore } from "../../packages/skillset/src/node/trust/trust.ts";

const [kind, path, folder, rounds] = process.argv.slice(2);
const store = new TrustStore(path);

const naive = {
  read: () => new Map(Object.entries(existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {})),
  trust: ([added]) => naive.write(naive.read().set(added, {})),
  revoke: (removed) => naive.write(new Map([...naive.read()].filter(([one]) => one !== removed))),
  write: (records) => {
    writeFileSync(`${path}.${process.pid}`, JSON.stringify(Object.fromEntries(records)));
    renameSync(`${path}.${process.pid}`, path);
  },
};

const used = kind === "naive" ? naive : store;
let lost = 0;
for (let round = 0; round < Number(rounds); round++) {
  used.trust([folder]);
  if (!used.read().has(folder)) lost++;
  used.revoke(folder);
  if (used.read().has(folder)) lost++;
}
console.log(lost);
