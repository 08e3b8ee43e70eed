import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Why containers cannot be tested here. Undefined if they can. */
export const whyNoContainers =
  process.getuid?.() === 0 && ["podman", "runc"].every((name) => spawnSync(name, ["--version"]).status === 0)
    ? undefined
    : "needs root, podman and runc: apt-get install podman runc";

/** An image with programs of this machine. It is removed when it is disposed of. */
export function makeContainerImage(): { readonly name: string } & Disposable {
  const name = `localhost/skillset-test-${process.pid}`;
  const folder = mkdtempSync(join(tmpdir(), "skillset-image-"));
  try {
    const [root, archive] = [join(folder, "root"), join(folder, "root.tar")];
    execFileSync("sh", [fileURLToPath(new URL("make-container-root.sh", import.meta.url)), root, process.execPath]);
    execFileSync("tar", ["-C", root, "-cf", archive, "."]);
    execFileSync("podman", ["import", archive, name], { stdio: "ignore" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { name, [Symbol.dispose]: () => void spawnSync("podman", ["rmi", "--force", name]) };
}
