import type { SkillsView, SkillUsageView } from "../../../shared/skills-api.ts";

/** The view with new counts. Rows whose counts are the same stay the same objects, and are not drawn again. */
export function withUsage(view: SkillsView, usage: SkillUsageView): SkillsView {
  const rows = view.rows.map((row) => {
    const { chats, activations } =
      (row.state !== "shadowed" && Object.hasOwn(usage, row.name) && usage[row.name]) || NEVER;
    return row.chats === chats && row.activations === activations ? row : { ...row, chats, activations };
  });
  return rows.every((row, index) => row === view.rows[index]) ? view : { ...view, rows };
}

const NEVER = { chats: 0, activations: 0 } as const;
