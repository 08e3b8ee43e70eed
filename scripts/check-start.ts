// Does what a newcomer does: runs `npm start`, and opens the printed URL.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const data = mkdtempSync(join(tmpdir(), "skillset-start-"));
const chat = spawn("npm", ["start"], {
  env: { ...process.env, PORT: "0", DATA_DIR: data },
  stdio: ["ignore", "pipe", "inherit"],
  detached: true,
});
const timer = setTimeout(() => end("SIGKILL"), 180_000);
try {
  let address = "";
  for await (const line of createInterface({ input: chat.stdout })) {
    console.log(line);
    address = /http:\/\/127\.0\.0\.1:\d+\//.exec(line)?.[0] ?? "";
    if (address !== "") break;
  }
  const page = await (await fetch(address)).text();
  assert.match(page, /<div id="root">|<div id="app">/, "the page is served");
  const { models, hasSkills } = (await (await fetch(new URL("api/state", address))).json()) as {
    models: { isOffline: boolean }[];
    hasSkills: boolean;
  };
  assert.ok(hasSkills, "skills are on");
  assert.ok(
    models.some(({ isOffline }) => isOffline),
    "a model is available without a key",
  );
  const exited = new Promise<void>((resolve) => chat.once("exit", () => resolve()));
  end("SIGINT");
  await exited;
  await assert.rejects(fetch(address), "nothing listens after Ctrl-C");
  console.log("npm start works.");
} finally {
  clearTimeout(timer);
  end("SIGKILL");
  rmSync(data, { recursive: true, force: true });
}

/** Signals every process of the group, as a terminal does. */
function end(signal: NodeJS.Signals): void {
  try {
    process.kill(-(chat.pid as number), signal);
  } catch {
    // It has already ended.
  }
}
