import type { CatalogOptions } from "../core/catalog.ts";
import { activeLine, rulesFor } from "../core/session-rules.ts";
import { isStored } from "../core/skill.ts";
import type { Skillset } from "../core/skillset.ts";
import type { Conversation } from "./conversation.ts";

/** What the prompt says of skills, by the way in which the agent can come to them. */
export async function offerSkills(
  conversation: Conversation,
  skillset: Skillset,
  {
    catalog,
    inject,
    signal,
  }: { readonly catalog: CatalogOptions; readonly inject: boolean; readonly signal: AbortSignal },
): Promise<{ readonly skills: string; readonly unreachable: readonly string[] }> {
  const { session, live } = conversation;
  const offered = skillset.skills.filter(({ modelInvocable }) => modelInvocable);
  if (live === undefined && inject) {
    const texts: string[] = [];
    for (const { name } of offered) texts.push((await session.activate(name, { by: "host", signal })).text);
    return { skills: texts.join("\n\n"), unreachable: [] };
  }
  const { text } = skillset.catalog({ ...catalog, ...(live === undefined && { location: "path" }) });
  if (live === undefined) {
    const unreachable = offered.filter((skill) => !isStored(skill)).map(({ name }) => name);
    return {
      skills: text === "" ? "" : [text, rulesFor(session.active, { fileRead: true }), ANNOUNCE].join("\n\n"),
      unreachable,
    };
  }
  const isNew = text !== conversation.shownCatalog;
  const hadOthers = conversation.shownCatalog !== "";
  conversation.shownCatalog = text;
  if (isNew && text !== "") {
    const instead = hadOthers ? "These skills are available from now on, instead of those before.\n\n" : "";
    return { skills: `${instead}${text}\n\n${rulesFor(session.active)}`, unreachable: [] };
  }
  const lines = [
    ...(isNew ? ["The skills that were listed before are no longer available."] : []),
    ...(session.active.length > 0 ? [activeLine(session.active)] : []),
  ];
  return { skills: lines.join("\n"), unreachable: [] };
}

/** Some agents have no MCP, but say which tools they want called. */
const ANNOUNCE =
  "If you cannot read files but can call tools of this client: `activate_skill` with { name }, `read_skill_file` with { skill, path }, `call_skill_tool` with { skill, tool, input }.";
