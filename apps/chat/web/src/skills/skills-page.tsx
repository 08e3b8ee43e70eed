import { useCallback, useMemo } from "react";
import type { SkillSwitch, SkillsView, SkillUsageView } from "../../../shared/skills-api.ts";
import { useApp } from "../api/app-state.tsx";
import { request, sentenceOf } from "../api/request.ts";
import { useAppEvents } from "../api/use-app-events.ts";
import { useCoalesced } from "../api/use-coalesced.ts";
import { useResource } from "../api/use-resource.ts";
import { Button } from "../ui/button.tsx";
import { Failure } from "../ui/failure.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { useToast } from "../ui/toast.tsx";
import { CatalogNotice } from "./catalog-notice.tsx";
import { CatalogText } from "./catalog-text.tsx";
import { Collisions } from "./collisions.tsx";
import { ProblemList } from "./problem-list.tsx";
import { Roots } from "./roots.tsx";
import { type Filter, filterRows, SkillFilter } from "./skill-filter.tsx";
import { SkillTable } from "./skill-table.tsx";
import { countText } from "./state-words.ts";
import { withUsage } from "./usage-counts.ts";
import { useKept, useKeptScroll } from "./use-kept.ts";

/** All skills with their state, and the catalog that models see. */
export function SkillsPage() {
  const { state } = useApp();
  const view = useResource<SkillsView>("/api/skills");
  const [filter, setFilter] = useKept<Filter>("skills-filter", { text: "", state: "all" });
  const { scroller, hasPlace } = useKeptScroll("skills-scroll", view.data !== undefined);
  const showToast = useToast();
  const rows = useMemo(() => filterRows(view.data?.rows ?? [], filter), [view.data, filter]);

  const attempt = useCallback(
    async (work: () => Promise<unknown>) => {
      try {
        await work();
      } catch (error) {
        showToast(sentenceOf(error));
      }
    },
    [showToast],
  );
  const rescan = () =>
    attempt(async () => view.set(await request<SkillsView>("/api/skills/rescan", { method: "POST" })));
  const { reload, update } = view;
  // After a message in any chat, only the counts can have changed. The list is long.
  const count = useCoalesced(() =>
    attempt(async () => {
      const usage = await request<SkillUsageView>("/api/skill-usage");
      update((before) => withUsage(before, usage));
    }),
  );
  useAppEvents(({ type }) => void (type === "chats-changed" ? count() : reload()));
  const turn = useCallback(
    (name: string, isEnabled: boolean) =>
      void attempt(async () => {
        const body: SkillSwitch = { isEnabled };
        await request<void>(`/api/skills/${encodeURIComponent(name)}/switch`, { method: "PUT", body });
        await reload();
      }),
    [attempt, reload],
  );

  return (
    <>
      <PageHeader title="Skills">
        {state.isAdmin && (
          <Button icon="refresh" onClick={() => void rescan()}>
            Rescan
          </Button>
        )}
      </PageHeader>
      <div className="page scroll" ref={scroller} data-scroller="">
        {view.error && <Failure message={view.error} onRetry={() => void view.reload()} />}
        {view.data && (
          <>
            <Summary view={view.data} />
            {!state.isAdmin && (
              <p className="hint">To enable or disable skills, sign in as admin at the bottom of the sidebar.</p>
            )}
            <ProblemList problems={view.data.problems} onRepaired={() => void reload()} />
            <CatalogNotice catalog={view.data.catalog} />
            <SkillFilter filter={filter} rows={view.data.rows} onChange={setFilter} />
            <SkillTable rows={rows} startsWhole={hasPlace} onTurn={state.isAdmin ? turn : undefined} />
            <CatalogText catalog={view.data.catalog} />
            <Collisions collisions={view.data.collisions} />
            <Roots roots={view.data.roots} />
          </>
        )}
      </div>
    </>
  );
}

function Summary({ view }: { readonly view: SkillsView }) {
  const folders = view.roots.filter(({ isThere }) => isThere).length;
  const enabled = view.rows.filter(({ state }) => state === "enabled").length;
  const time = new Date(view.scannedAt).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return (
    <p className="lead">
      {countText(enabled, "skill")} enabled in {countText(folders, "folder")} ·{" "}
      {countText(view.catalog.tokens, "token")} per request · scanned {time}
    </p>
  );
}
