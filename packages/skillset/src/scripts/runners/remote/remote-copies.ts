import { createHash, randomBytes } from "node:crypto";
import { quote } from "../../process/quote.ts";
import { command, type Machine } from "./remote-machine.ts";
import type { RemoteSession } from "./remote-session.ts";
import { type LocalFile, readFolder, sendFile, sendFiles } from "./send-files.ts";

/**
 * Copies of skills on the other machine, each sent once for the same content. A script there can change any file, also
 * that of another skill, so a copy is compared with its sums before it is used again.
 */
export class RemoteCopies {
  readonly #session: RemoteSession;
  readonly #copies = new Map<string, Promise<string>>();

  constructor(session: RemoteSession) {
    this.#session = session;
  }

  /** Returns the folder of the copy. */
  async of(skillFolder: string, machine: Machine, signal: AbortSignal): Promise<string> {
    const files = readFolder(skillFolder);
    const sums = sumsOf(files);
    const digest = hash(sums);
    const known = this.#copies.get(digest);
    if (known !== undefined) {
      const folder = await known.catch(() => undefined);
      if (folder !== undefined && (await this.#isUnchanged(folder, files, sums, signal))) return folder;
      if (this.#copies.get(digest) === known) this.#copies.delete(digest);
      return this.of(skillFolder, machine, signal);
    }
    const sent = this.#send(files, machine, signal);
    if (machine.hasSums && files.every(({ path }) => /^[^\\\n]+$/.test(path))) {
      this.#copies.set(digest, sent);
      sent.catch(() => this.#copies.delete(digest));
    }
    return sent;
  }

  forget(): void {
    this.#copies.clear();
  }

  async #send(files: readonly LocalFile[], { base }: Machine, signal: AbortSignal): Promise<string> {
    const folder = `${base}/skill-${randomBytes(8).toString("hex")}`;
    await sendFiles(this.#session, files, folder, signal);
    const { exitCode } = await command(this.#session, `chmod -R 555 ${quote(folder)}`, signal);
    if (exitCode !== 0) throw new Error("The skill cannot be written there.");
    return folder;
  }

  /** Whether the folder has these files with these contents, and no others. */
  async #isUnchanged(folder: string, files: readonly LocalFile[], sums: string, signal: AbortSignal): Promise<boolean> {
    const list = `${folder}-${randomBytes(8).toString("hex")}.sums`;
    await sendFile(this.#session, { path: list, content: Buffer.from(sums) }, signal);
    const line = [
      `cd ${quote(folder)}`,
      `sha256sum -c ${quote(list)} >/dev/null 2>&1`,
      "find . ! -type d -print | wc -l",
    ].join(" && ");
    const { exitCode, stdout } = await command(
      this.#session,
      `${line}; code=$?; rm -f ${quote(list)}; exit $code`,
      signal,
    );
    return exitCode === 0 && Number(stdout) === files.length;
  }
}

/** One line for each file, as `sha256sum -c` reads them. */
function sumsOf(files: readonly LocalFile[]): string {
  return files.map(({ path, content }) => `${hash(content)}  ./${path}\n`).join("");
}

function hash(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
