import type { RepairResult, SkillDetail } from "../../../shared/skills-api.ts";
import { SignInButton } from "../admin/sign-in-button.tsx";
import { useAppEvents } from "../api/use-app-events.ts";
import { useResource } from "../api/use-resource.ts";
import { Link } from "../router/link.tsx";
import { skillPath } from "../router/route.ts";
import { navigate } from "../router/use-route.ts";
import { Badge } from "../ui/badge.tsx";
import { Failure } from "../ui/failure.tsx";
import { Icon } from "../ui/icon.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { AllowedScripts } from "./allowed-scripts.tsx";
import { ProblemList } from "./problem-list.tsx";
import { SkillActions } from "./skill-actions.tsx";
import { SkillContent } from "./skill-content.tsx";
import { SkillFacts } from "./skill-facts.tsx";
import { SkillMetadata } from "./skill-metadata.tsx";
import { SkillRules } from "./skill-rules.tsx";
import { hasSwitch } from "./skill-switch.tsx";
import { STATE_TONES } from "./state-words.ts";
import { Tolerated } from "./tolerated.tsx";
import { TryTasks } from "./try-skill.tsx";
import { UsageChart } from "./usage-chart.tsx";

export function SkillPage({ name }: { readonly name: string }) {
  const detail = useResource<SkillDetail>(`/api/skills/${encodeURIComponent(name)}`);
  useAppEvents(() => void detail.reload());
  /** A repair can give the skill another name. */
  const follow = ({ repaired: [next] }: RepairResult) => {
    if (next === undefined || next === name) void detail.reload();
    else navigate(skillPath(next), { replace: true });
  };
  return (
    <>
      <PageHeader title={name}>
        {detail.data && <SkillActions detail={detail.data} onChange={() => void detail.reload()} />}
        <Link to="/skills" className="button plain all-skills">
          <Icon name="skill" />
          <span>All skills</span>
        </Link>
      </PageHeader>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll a page without buttons */}
      <div className="page scroll" tabIndex={0}>
        {detail.error && (
          <Failure message={detail.error} onRetry={detail.isMissing ? undefined : () => void detail.reload()} />
        )}
        {!detail.data && !detail.error && <Skeleton lines={9} />}
        {detail.data && <Detail detail={detail.data} onChange={() => void detail.reload()} onRepaired={follow} />}
      </div>
    </>
  );
}

interface DetailProps {
  readonly detail: SkillDetail;
  readonly onChange: () => void;
  readonly onRepaired: (result: RepairResult) => void;
}

function Detail({ detail, onChange, onRepaired }: DetailProps) {
  const { row, instructions, files, tools, problems, usage } = detail;
  return (
    <div className="skill-detail">
      <div className="detail-head">
        <Badge tone={STATE_TONES[row.state]}>{row.state}</Badge>
        {row.reason && <span className="hint">{row.reason}</span>}
        {hasSwitch(row) && <SignInButton>Sign in to enable or disable</SignInButton>}
        <p className="lead">{row.description}</p>
      </div>
      <div className="detail-side">
        <TryTasks detail={detail} />
        <UsageChart usage={usage} />
        <SkillFacts detail={detail} />
        <SkillRules detail={detail} />
        {detail.areScriptsAllowed && <AllowedScripts name={row.name} onRevoked={onChange} />}
        {tools.length > 0 && (
          <section aria-labelledby="tools-title">
            <h2 id="tools-title">Tools</h2>
            <dl className="tools">
              {tools.map((tool) => (
                <div key={tool.name}>
                  <dt>{tool.name}</dt>
                  <dd>{tool.description}</dd>
                </div>
              ))}
            </dl>
          </section>
        )}
        <SkillMetadata metadata={detail.metadata} />
      </div>
      <div className="detail-main">
        <ProblemList problems={problems.filter(({ code }) => code !== "requirement-unmet")} onRepaired={onRepaired} />
        {row.tolerated && <Tolerated reasons={row.tolerated} />}
        <SkillContent key={row.name} name={row.name} files={files} instructions={instructions} />
      </div>
    </div>
  );
}
