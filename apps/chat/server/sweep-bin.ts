import { onFullDisk } from "./database/free-space.ts";
import { reasonOf } from "./observe/error-reason.ts";
import type { Services } from "./services.ts";
import { removeFiles } from "./turns/remove-files.ts";

type Sweeping = Pick<Services, "attachments" | "bin" | "database" | "events" | "log" | "skills">;

/**
 * Deletes what has been in the bin for too long, now and every hour, with the files of scripts. Returns a function that
 * ends it.
 */
export function sweepBin(
  { attachments, bin, database, events, log, skills }: Sweeping,
  every = HOUR,
): () => Promise<void> {
  let last = Promise.resolve();
  const sweep = async (): Promise<void> => {
    try {
      const entries = await onFullDisk(() => bin.sweep((chatIds) => removeFiles(chatIds, { database, skills })));
      await onFullDisk(async () => attachments?.sweep());
      if (entries === 0) return;
      log.info("bin-swept", { entries });
      events.emit({ type: "chats-changed" });
    } catch (error) {
      log.warn("bin-not-swept", { reason: reasonOf(error) });
    }
  };
  const start = (): void => {
    last = last.then(sweep);
  };
  start();
  const timer = setInterval(start, every).unref();
  return async () => {
    clearInterval(timer);
    await last;
  };
}

const HOUR = 3_600_000;
