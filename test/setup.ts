import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, vi } from "vitest";

const config = mkdtempSync(join(tmpdir(), "skillset-config-"));
process.env.SKILLSET_CONFIG_HOME = config;
// A developer may have set them; tests that need them stub them.
delete process.env.SKILLSET_AGENT;
delete process.env.SKILLSET_TRACE;
// Vitest's default, one second, fails a wait for an event on a busy machine, and no setting changes it.
const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, { timeout: 15_000, ...(typeof options === "number" ? { timeout: options } : options) });
afterAll(() => {
  // The next file may run in the same process.
  vi.waitFor = waitFor;
  vi.unstubAllEnvs();
  rmSync(config, { recursive: true, force: true });
});
