import type { SkillsView } from "../../../shared/skills-api.ts";

export function Roots({ roots }: Pick<SkillsView, "roots">) {
  return (
    <section aria-labelledby="roots-title">
      <h2 id="roots-title">Folders</h2>
      <p className="hint">Scanned in this order.</p>
      <ul className="problems">
        {roots.map(({ path, isThere }) => (
          <li key={path}>
            <p>
              <span className="path">{path}</span> {!isThere && <span className="hint">not found</span>}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
