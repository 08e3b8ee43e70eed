import type { SkillsView } from "../../../shared/skills-api.ts";

export function Roots({ roots }: Pick<SkillsView, "roots">) {
  return (
    <section aria-labelledby="roots-title">
      <h2 id="roots-title">Folders</h2>
      <p className="hint">Scanned in this order. Of two skills with the same name, the first one is used.</p>
      <ol className="problems places">
        {roots.map(({ path, isThere, isAbove }, index) => (
          <li key={path}>
            <span className="hint">{index + 1}</span>
            <p>
              <span className="path">{path}</span>{" "}
              {isAbove && <span className="hint">in the project, so its skills need trust{isThere ? "" : " ·"}</span>}{" "}
              {!isThere && <span className="hint">not found</span>}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
