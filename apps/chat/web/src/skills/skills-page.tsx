import { useCallback, useMemo } from "react";
import type { SkillSwitch, SkillsView, SkillUsageView } from "../../../shared/skills-api.ts";
import { SignInButton } from "../admin/sign-in-button.tsx";
import { useApp } from "../api/app-state.tsx";
import { request, sentenceOf } from "../api/request.ts";
import { useAppEvents } from "../api/use-app-events.ts";
import { useCoalesced } from "../api/use-coalesced.ts";
import { useResource } from "../api/use-resource.ts";
import { Button } from "../ui/button.tsx";
import { countText } from "../ui/count-text.ts";
import { Failure } from "../ui/failure.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { type Tab, Tabs } from "../ui/tabs.tsx";
import { useToast } from "../ui/toast.tsx";
import { CatalogNotice } from "./catalog-notice.tsx";
import { CatalogText } from "./catalog-text.tsx";
import { Collisions } from "./collisions.tsx";
import { NoSkills } from "./no-skills.tsx";
import { ProblemList } from "./problem-list.tsx";
import { Roots } from "./roots.tsx";
import { type Filter, filterRows, SkillFilter } from "./skill-filter.tsx";
import { SkillTable } from "./skill-table.tsx";
import { nextSort, type Sort, sortRows } from "./sort-rows.ts";
import { withUsage } from "./usage-counts.ts";
import { useKept, useKeptScroll } from "./use-kept.ts";

/** All skills with their state, and the catalog that models see. */
export function SkillsPage() {
  const { state } = useApp();
  const view = useResource<SkillsView>("/api/skills");
  const [filter, setFilter] = useKept<Filter>("skills-filter", { text: "", state: "all" });
  const [sort, setSort] = useKept<Sort>("skills-sort", { column: "name", isDescending: false });
  const [tab, setTab] = useKept("skills-tab", "skills");
  const { scroller, hasPlace } = useKeptScroll("skills-scroll", view.data !== undefined);
  const showToast = useToast();
  const rows = useMemo(() => sortRows(filterRows(view.data?.rows ?? [], filter), sort), [view.data, filter, sort]);

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

  const { data } = view;
  const tabs: readonly Tab[] = data
    ? [
        {
          id: "skills",
          label: "Skills",
          count: data.rows.length,
          content: (
            <>
              <CatalogNotice catalog={data.catalog} />
              {data.rows.length === 0 ? (
                <NoSkills roots={data.roots} />
              ) : (
                <>
                  <SkillFilter filter={filter} rows={data.rows} onChange={setFilter} sort={sort} onSort={setSort} />
                  <SkillTable
                    rows={rows}
                    startsWhole={hasPlace}
                    sort={sort}
                    onSort={(column) => setSort(nextSort(sort, column))}
                    onTurn={state.isAdmin ? turn : undefined}
                  />
                </>
              )}
            </>
          ),
        },
        {
          id: "problems",
          label: "Problems",
          count: data.problems.length,
          isWarning: data.problems.some(({ severity }) => severity === "error"),
          content: <ProblemList problems={data.problems} onRepaired={() => void reload()} isWhole />,
        },
        { id: "catalog", label: "What the model sees", content: <CatalogText catalog={data.catalog} /> },
        {
          id: "folders",
          label: "Folders",
          count: data.roots.filter(({ isThere }) => isThere).length,
          content: (
            <>
              <Roots roots={data.roots} />
              <Collisions collisions={data.collisions} />
            </>
          ),
        },
      ]
    : [];

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
        {!view.data && !view.error && <Skeleton lines={9} />}
        {view.data && (
          <>
            <Summary view={view.data} />
            <SignInButton>Sign in to enable or disable</SignInButton>
            <Tabs label="Skills" tabs={tabs} current={tab} onChange={setTab} />
          </>
        )}
      </div>
    </>
  );
}

function Summary({ view }: { readonly view: SkillsView }) {
  const folders = view.roots.filter(({ isThere }) => isThere).length;
  const enabled = view.rows.filter(({ state }) => state === "enabled").length;
  const time = new Date(view.scannedAt).toLocaleTimeString([], { hour: "numeric", minute: "2-digit" });
  return (
    <p className="lead">
      {countText(enabled, "skill")} enabled in {countText(folders, "folder")} ·{" "}
      {countText(view.catalog.tokens, "token")} per request · scanned {time}
    </p>
  );
}
