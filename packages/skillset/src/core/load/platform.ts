import type { PathBases } from "../allowed-tools/path-pattern.ts";
import type { Problem } from "../base/problem.ts";
import type { Policy } from "../manifest/policy.ts";
import type { SkillCandidate } from "../source/select.ts";
import type { FolderInput, SkillInput } from "./skill-input.ts";
import type { PlaceWatcher } from "./watch-skillset.ts";

/** What a loader needs from the system that it runs on. `Found` is what the platform keeps of a folder. */
export interface Platform<Found = unknown> {
  /** The folders that paths in `allowed-tools` are relative to. */
  readonly bases: PathBases;
  /** Starts a load. */
  open(load: PlatformLoad): FolderLoad<Found>;
  /** Adds to each candidate what it requires and this system lacks. */
  findUnmet(candidates: readonly SkillCandidate[], signal?: AbortSignal): Promise<readonly SkillCandidate[]>;
  /** Opens a watcher of the folders among the sources. */
  watch?(sources: readonly SkillInput[]): Promise<PlaceWatcher>;
}

export interface PlatformLoad {
  readonly policy: Policy;
  /** Gets the problems of the whole load. */
  readonly problems: Problem[];
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((found: number) => void) | undefined;
}

/** One load or reload of folders. */
export interface FolderLoad<Found> {
  /** Reads a folder, or the folders that match a glob. */
  read(source: FolderInput): Promise<{ readonly found: Found; readonly problems: readonly Problem[] }>;
  /** Returns what was found in this or an earlier load. Skills that are not trusted now are locked. */
  candidates(found: Found): readonly SkillCandidate[];
  /** Makes this load the one that the next load compares with. */
  close(): void;
}
