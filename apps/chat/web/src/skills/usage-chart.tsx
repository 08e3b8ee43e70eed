import type { SkillDetail } from "../../../shared/skills-api.ts";
import { countText } from "../ui/count-text.ts";

const HEIGHT = 56;
const STEP = 10;
const BAR = 7;

/** One bar per day; days without activations are dots. */
export function UsageChart({ usage }: Pick<SkillDetail, "usage">) {
  const total = usage.reduce((sum, { activations }) => sum + activations, 0);
  const most = Math.max(1, ...usage.map(({ activations }) => activations));
  const width = Math.max(1, usage.length) * STEP;
  const label = `Activated ${countText(total, "time")} in the last ${usage.length} days`;
  if (total === 0) {
    return (
      <section aria-labelledby="usage-title">
        <h2 id="usage-title">Usage</h2>
        <p className="hint">Not activated in the last {usage.length} days</p>
      </section>
    );
  }
  return (
    <section aria-labelledby="usage-title">
      <h2 id="usage-title">Usage</h2>
      <figure className="usage">
        <svg viewBox={`0 0 ${width} ${HEIGHT + 4}`} role="img" aria-label={label}>
          {usage.map(({ day, activations }, index) => {
            const height = activations === 0 ? 2 : Math.max(5, (activations / most) * HEIGHT);
            return (
              <rect
                key={day}
                className={activations === 0 ? "none" : "some"}
                x={index * STEP + (STEP - BAR) / 2}
                y={HEIGHT + 2 - height}
                width={BAR}
                height={height}
                rx={activations === 0 ? 1 : 2}
              >
                <title>{`${day}: ${countText(activations, "activation")}`}</title>
              </rect>
            );
          })}
        </svg>
        <figcaption className="hint">{label}</figcaption>
      </figure>
    </section>
  );
}
