import { SkillError } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { messageOf } from "../base/message-of.ts";
import type { Problem, ProblemCode } from "../base/problem.ts";
import { untilAborted } from "../base/until-aborted.ts";
import { readSkillMd } from "../manifest/parse.ts";
import type { Policy } from "../manifest/policy.ts";
import { changeMark } from "../skill/fingerprint.ts";
import { checkFiles } from "../skill/listed-files.ts";
import type { ReadOptions } from "../skill/skill.ts";
import { exceedsBytes } from "../text/bytes.ts";
import { findHiddenText } from "../text/hidden-text.ts";
import { normaliseRelative } from "../text/relative-path.ts";
import type { SkillCandidate } from "./select.ts";
import type { SkillSource, SourceEntry, SourceFile } from "./source.ts";
import { locationIn, SourceSkill } from "./source-skill.ts";

/** The validated result of a source. */
export interface SourceListing {
  readonly candidates: readonly SkillCandidate[];
  readonly problems: readonly Problem[];
  /** The source's fingerprint, if it has one. */
  readonly fingerprint: string | undefined;
}

export interface ReadSourceOptions extends ReadOptions {
  readonly policy: Policy;
  /** The previous listing. Returned again if the source's fingerprint is unchanged. */
  readonly known?: SourceListing | undefined;
}

/** Lists a source and validates everything that it returns. Throws a `SkillError` if the whole source fails. */
export async function readSource(source: SkillSource, options: ReadSourceOptions): Promise<SourceListing> {
  const { signal, known } = options;
  checkName(source.name);
  const reading = signal === undefined ? {} : { signal };
  signal?.throwIfAborted();
  try {
    const fingerprint = await untilAborted(signal, Promise.resolve(source.fingerprint?.(reading)));
    if (known !== undefined && fingerprint !== undefined && fingerprint === known.fingerprint) return known;
    const entries: unknown = await untilAborted(signal, Promise.resolve(source.list(reading)));
    if (!Array.isArray(entries)) throw new TypeError("list() did not return an array.");
    return { ...(await checkEntries(source, entries, options)), fingerprint };
  } catch (error) {
    signal?.throwIfAborted();
    const message = `The skills of ${source.name} cannot be listed: ${messageOf(error)}`;
    throw new SkillError("source-unreadable", message, { cause: error });
  }
}

async function checkEntries(source: SkillSource, entries: readonly unknown[], options: ReadSourceOptions) {
  const problems: Problem[] = [];
  const candidates: SkillCandidate[] = [];
  const taken = new Set<string>();
  const before = new Map(options.known?.candidates.map((one) => [locationOf(one), one]));
  for (const [index, entry] of entries.entries()) {
    // Parsing thousands of files takes seconds. Yielding lets timers run and an abort take effect.
    if (index % CHECKED_AT_ONCE === CHECKED_AT_ONCE - 1) await new Promise((resume) => setTimeout(resume));
    options.signal?.throwIfAborted();
    const folder = checkFolder(entry, taken);
    if ("reason" in folder) {
      const message = `Skill ${index + 1} of ${source.name} is not used: ${folder.reason}.`;
      problems.push({ code: "skill-not-imported", severity: "error", message, fix: FIX_SOURCE });
      continue;
    }
    taken.add(folder.path);
    const candidate = checkEntry(source, folder.path, entry as SourceEntry, options.policy, problems);
    const known = before.get(locationOf(candidate));
    candidates.push(isSame(known, candidate) ? known : candidate);
  }
  return { candidates, problems };
}

const CHECKED_AT_ONCE = 500;
const FIX_SOURCE = "Fix the source's implementation.";

type FolderCheck = { readonly path: string } | { readonly reason: string };

function checkFolder(entry: unknown, taken: ReadonlySet<string>): FolderCheck {
  const { folder } = (entry ?? {}) as Partial<SourceEntry>;
  if (typeof folder !== "string") return { reason: "it has no 'folder'" };
  const shown = JSON.stringify(folder.slice(0, LIMITS.shown.pathCharacters));
  try {
    const path = normaliseRelative(folder);
    if (path === ".") return { reason: `its folder ${shown} has no name` };
    if (/\p{Cc}/u.test(path) || findHiddenText(path) !== undefined)
      return { reason: `its folder ${shown} has hidden characters` };
    return taken.has(path) ? { reason: `another skill has the folder ${shown}` } : { path };
  } catch (error) {
    return { reason: `its folder is ${shown}. ${messageOf(error).replace(/\.$/, "")}` };
  }
}

/** Validates the content of a source's skill. */
function checkEntry(
  source: SkillSource,
  folder: string,
  { skillMd, files = [] }: SourceEntry,
  policy: Policy,
  problems: Problem[],
): SkillCandidate {
  const path = locationIn(source.name, folder);
  const name = folder.slice(folder.lastIndexOf("/") + 1);
  const origin = Object.freeze({ kind: "source" as const, source: source.name, folder });
  const refuse = (code: ProblemCode, message: string, fix: string): SkillCandidate => {
    problems.push({ code, severity: "error", message, skill: name, path, fix });
    return { kind: "invalid", name, origin, reason: message };
  };
  const text = textOf(skillMd);
  if (typeof text !== "string") return refuse(text.code, text.message, text.fix);
  const { manifest, body, problems: found } = readSkillMd(text, { policy, folder: name, path });
  problems.push(...found);
  if (manifest === undefined) {
    const reason = found.find(({ severity }) => severity === "error")?.message ?? "cannot be read";
    return { kind: "invalid", name, origin, reason };
  }
  let refused = 0;
  const onRefused = (message: string): void => {
    if (refused++ < LIMITS.hard.problemsInSkill)
      problems.push({
        code: "file-refused",
        severity: "warning",
        message,
        skill: manifest.name,
        path,
        fix: FIX_SOURCE,
      });
  };
  try {
    const claimed = (Array.isArray(files) ? files : []).filter(isOther);
    const checked = checkFiles(claimed, onRefused);
    const marks = checked.map((file) => `${file.path}\0${file.size}\0${file.stamp ?? ""}`);
    const stamp = changeMark([folder, text, ...marks]);
    return {
      kind: "skill",
      skill: new SourceSkill(source, { manifest, folder, skillMd: text, body, files: checked }, stamp),
    };
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    return refuse("skill-too-large", error.message, "Remove files that the skill does not need, or split it.");
  }
}

/** Excludes SKILL.md, which a source may list among the files. Its content is already known. */
function isOther(file: unknown): file is SourceFile {
  return typeof file === "object" && file !== null && (file as SourceFile).path !== "SKILL.md";
}

type Refusal = { readonly code: ProblemCode; readonly message: string; readonly fix: string };

function textOf(skillMd: unknown): string | Refusal {
  const isBytes = skillMd instanceof Uint8Array;
  if (!isBytes && typeof skillMd !== "string")
    return { code: "skill-md-unreadable", message: "The source returned no SKILL.md.", fix: FIX_SOURCE };
  const limit = LIMITS.hard.skillMd;
  if (isBytes ? skillMd.byteLength > limit : exceedsBytes(skillMd, limit)) {
    const message = `SKILL.md has more than ${limit} bytes.`;
    return { code: "skill-md-too-large", message, fix: "Move long texts into files under references/." };
  }
  try {
    const text = isBytes ? new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(skillMd) : skillMd;
    if (text.isWellFormed()) return text;
  } catch {
    // Reported below.
  }
  return { code: "encoding-not-utf8", message: "SKILL.md is not valid UTF-8.", fix: "Save the file as UTF-8." };
}

/** Models see the name between tags. */
function checkName(name: string): void {
  if (/^[^\p{Cc}<>&"]{1,100}$/u.test(name) && name.trim() !== "" && findHiddenText(name) === undefined) return;
  const message = `The name of a source must have 1 to 100 visible characters without <, > and &; got ${JSON.stringify(name)}.`;
  throw new SkillError("option-invalid", message);
}

function locationOf(candidate: SkillCandidate): string | undefined {
  return candidate.kind === "skill" ? candidate.skill.location : undefined;
}

/** An unchanged skill stays the same object, so that cached data about it stays valid. */
function isSame(known: SkillCandidate | undefined, candidate: SkillCandidate): known is SkillCandidate {
  return known?.kind === "skill" && candidate.kind === "skill" && known.skill.stamp === candidate.skill.stamp;
}
