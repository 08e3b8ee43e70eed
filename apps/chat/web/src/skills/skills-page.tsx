import { useMemo, useState } from "react";
import type { SkillSwitch, SkillsView } from "../../../shared/api.ts";
import { useApp } from "../api/app-state.tsx";
import { request, sentenceOf } from "../api/request.ts";
import { useAppEvents } from "../api/use-app-events.ts";
import { useResource } from "../api/use-resource.ts";
import { Button } from "../ui/button.tsx";
import { Failure } from "../ui/failure.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { useToast } from "../ui/toast.tsx";
import { CatalogText } from "./catalog-text.tsx";
import { Collisions } from "./collisions.tsx";
import { ProblemList } from "./problem-list.tsx";
import { Roots } from "./roots.tsx";
import { type Filter, filterRows, SkillFilter } from "./skill-filter.tsx";
import { SkillTable } from "./skill-table.tsx";
import { countText } from "./state-words.ts";

/** Every skill, whatever its state, and exactly what a model is shown of them. */
export function SkillsPage() {
  const { state } = useApp();
  const view = useResource<SkillsView>("/api/skills");
  const [filter, setFilter] = useState<Filter>({ text: "", state: "all" });
  const showToast = useToast();
  useAppEvents(() => void view.reload());
  const rows = useMemo(() => filterRows(view.data?.rows ?? [], filter), [view.data, filter]);

  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      showToast(sentenceOf(error));
    }
  };
  const rescan = () =>
    attempt(async () => view.set(await request<SkillsView>("/api/skills/rescan", { method: "POST" })));
  const turn = (name: string, isEnabled: boolean) =>
    attempt(async () => {
      const body: SkillSwitch = { isEnabled };
      await request<void>(`/api/skills/${encodeURIComponent(name)}/switch`, { method: "PUT", body });
      await view.reload();
    });

  return (
    <>
      <PageHeader title="Skills">
        {state.isAdmin && (
          <Button icon="refresh" onClick={() => void rescan()}>
            Scan again
          </Button>
        )}
      </PageHeader>
      <div className="page scroll">
        {view.error && <Failure message={view.error} onRetry={() => void view.reload()} />}
        {view.data && (
          <>
            <Summary view={view.data} />
            {!state.isAdmin && <p className="hint">Sign in as the admin, below the list of chats, to switch skills.</p>}
            <SkillFilter filter={filter} rows={view.data.rows} onChange={setFilter} />
            <SkillTable rows={rows} onTurn={state.isAdmin ? (name, isOn) => void turn(name, isOn) : undefined} />
            <CatalogText catalog={view.data.catalog} />
            <ProblemList problems={view.data.problems} />
            <Collisions collisions={view.data.collisions} />
            <Roots roots={view.data.roots} />
          </>
        )}
      </div>
    </>
  );
}

function Summary({ view }: { readonly view: SkillsView }) {
  const places = view.roots.filter(({ isThere }) => isThere).length;
  const enabled = view.rows.filter(({ state }) => state === "enabled").length;
  const time = new Date(view.scannedAt).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return (
    <p className="lead">
      {countText(enabled, "skill")} on offer, from {countText(places, "place")}. Naming them costs{" "}
      {countText(view.catalog.tokens, "token")} a request. Last looked at {time}.
    </p>
  );
}
