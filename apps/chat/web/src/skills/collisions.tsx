import type { SkillsView } from "../../../shared/skills-api.ts";

export function Collisions({ collisions }: Pick<SkillsView, "collisions">) {
  if (collisions.length === 0) return null;
  return (
    <section aria-labelledby="collisions-title">
      <h2 id="collisions-title">Duplicate names</h2>
      <p className="hint">The first skill found is used; the others are shadowed.</p>
      <ul className="problems">
        {collisions.map(({ name, winner, losers }) => (
          <li key={name}>
            <div>
              <p>
                <strong>{name}</strong>
              </p>
              <p className="reason path">used: {winner}</p>
              {losers.map((loser) => (
                <p key={loser} className="reason path">
                  shadowed: {loser}
                </p>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
