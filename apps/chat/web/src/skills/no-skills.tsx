import { newSkillFolder } from "../../../shared/new-skill-folder.ts";
import type { SkillsView } from "../../../shared/skills-api.ts";

/** How to add the first skill. */
export function NoSkills({ roots }: Pick<SkillsView, "roots">) {
  const folder = newSkillFolder(roots);
  if (folder === undefined) return <p>No skills found. Add a folder to 'directories' in the settings.</p>;
  return (
    <p>
      No skills found. To create one, run <code>npx skillset new my-skill --dir {folder}</code>. It appears here at
      once.
    </p>
  );
}
