import type { Skill } from "../../../core/skill/skill.ts";
import { versionOf } from "../../../core/skill/skill-version.ts";
import type { Skillset } from "../../../core/skillset.ts";
import { describePlace, type SkillEntry } from "../../../core/source/select.ts";
import { originOf } from "../../command-line/found-skill.ts";
import { escapeJson } from "../../terminal/printable.ts";

/** The set as JSON, with one line for each skill, problem and collision. */
export function* listAsJson({ entries, problems, collisions }: Skillset): Generator<string> {
  yield '{"skills":[';
  yield* rows(entries, describe);
  yield '],"problems":[';
  yield* rows(problems, (problem) => problem);
  yield '],"collisions":[';
  yield* rows(collisions, ({ name, winner, losers }) => ({
    name,
    winner: describePlace(winner),
    losers: losers.map(describePlace),
  }));
  yield "]}\n";
}

function* rows<Item>(items: readonly Item[], toValue: (item: Item) => unknown): Generator<string> {
  let lines = "";
  let separator = "\n";
  for (const item of items) {
    lines += separator + JSON.stringify(toValue(item));
    separator = ",\n";
    // In pages: escaping and writing each of thousands of lines takes longer than creating them.
    if (lines.length < PAGE) continue;
    yield escapeJson(lines);
    lines = "";
  }
  if (items.length > 0) yield escapeJson(`${lines}\n`);
}

/** In characters. Small, so that most pages are ASCII, which needs no escapes. */
const PAGE = 4 * 1024;

/** An entry, with the same keys for every status; JSON leaves out undefined values. */
function describe(entry: SkillEntry): object {
  const { name, status } = entry;
  const reason = status === "enabled" ? undefined : entry.reason;
  const skill: Partial<Skill> = status === "invalid" ? {} : entry.skill;
  const origin = originOf(entry);
  const isFolder = origin.kind === "folder";
  return {
    name,
    version: skill.metadata === undefined ? undefined : versionOf({ metadata: skill.metadata }),
    description: skill.description ?? null,
    status,
    reason,
    unmet: status === "unavailable" ? entry.unmet : undefined,
    scope: isFolder ? origin.scope : "code",
    path: isFolder ? origin.folder : null,
    root: isFolder ? origin.root : null,
    license: skill.license,
    compatibility: skill.compatibility,
    allowedTools: skill.allowedTools ?? [],
    metadata: skill.metadata ?? {},
    modelInvocable: skill.modelInvocable ?? false,
    userInvocable: skill.userInvocable ?? false,
    argumentHint: skill.argumentHint,
    triggers: skill.triggers,
    toolsets: skill.toolsets,
  };
}
