import { once } from "node:events";
import { whenQuiet } from "../../../core/load/when-quiet.ts";
import { splitGlob } from "../../../node/load/globs.ts";
import { resolvePath } from "../../../node/load/sources.ts";
import { WatchedPlaces } from "../../../node/watch/watched-places.ts";
import type { Io } from "../../terminal/io.ts";
import { createPaint } from "../../terminal/paint.ts";
import { printable } from "../../terminal/printable.ts";
import { writeLine } from "../../terminal/write.ts";

/**
 * Runs a check, and again whenever something changes below the paths, until Ctrl-C. The check prints its result and
 * returns the folders of the skills, which can be elsewhere if the paths contain links.
 */
export async function checkOnChange(
  paths: readonly string[],
  check: () => Promise<readonly string[]>,
  io: Io,
): Promise<void> {
  const report = (error: unknown): void =>
    void writeLine(io.stderr, createPaint(io.stderr, io.env)("red", printable((error as Error).message)));
  const again = async (): Promise<void> => {
    try {
      await writeLine(io.stdout, createPaint(io.stdout, io.env)("bold", new Date().toTimeString().slice(0, 8)));
      if (places.follow(await check())) schedule();
    } catch (error) {
      if (!io.signal.aborted) report(error);
    }
  };
  const { schedule, stop } = whenQuiet(again, DEBOUNCE);
  const watched = paths.map((path) => resolvePath(splitGlob(path)?.base ?? path, io.cwd));
  const places = new WatchedPlaces(watched, schedule, report);
  const ended = io.signal.aborted ? Promise.resolve() : once(io.signal, "abort");
  try {
    places.follow([]);
    // Watching starts before the check, so that no change is missed.
    await Promise.race([places.ready, ended]);
    await again();
    if (!io.signal.aborted) await writeLine(io.stderr, "Waiting for changes. Ctrl-C ends it.");
    await ended;
  } finally {
    await Promise.all([stop(), places.close()]);
  }
}

/** The time without changes before the next check, in milliseconds. */
const DEBOUNCE = 200;
