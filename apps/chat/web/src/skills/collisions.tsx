import type { SkillsView } from "../../../shared/api.ts";

export function Collisions({ collisions }: Pick<SkillsView, "collisions">) {
  if (collisions.length === 0) return null;
  return (
    <section aria-labelledby="collisions-title">
      <h2 id="collisions-title">Same name, several places</h2>
      <p className="hint">The first place wins; the others are left out.</p>
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
                  left out: {loser}
                </p>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
