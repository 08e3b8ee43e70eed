import { lazy, type MouseEvent, Suspense, useEffect, useRef } from "react";
import { useApp } from "./api/app-state.tsx";
import { useAppEvents } from "./api/use-app-events.ts";
import { useRefusedDrops } from "./attachments/refuse-drops.ts";
import { DraftPage } from "./chat/draft-page.tsx";
import { NotFound } from "./not-found.tsx";
import type { Route } from "./router/route.ts";
import { useRoute } from "./router/use-route.ts";
import { Sidebar } from "./sidebar.tsx";
import { changesText, switchText } from "./skills/state-words.ts";
import { DrawerProvider } from "./ui/drawer.tsx";
import { Skeleton } from "./ui/skeleton.tsx";
import { useToast } from "./ui/toast.tsx";

// Each in a file that is loaded when it is first needed. The first page of a visit is mostly a new chat.
const loadChat = () => import("./chat/chat-page.tsx");
const ChatPage = lazy(() => loadChat().then(({ ChatPage: component }) => ({ default: component })));
const SkillsPage = lazy(() =>
  import("./skills/skills-page.tsx").then(({ SkillsPage: component }) => ({ default: component })),
);
const SkillPage = lazy(() =>
  import("./skills/skill-page.tsx").then(({ SkillPage: component }) => ({ default: component })),
);
const BinPage = lazy(() => import("./bin/bin-page.tsx").then(({ BinPage: component }) => ({ default: component })));

/** The layout of every page: the sidebar and the page for the current URL. */
export function Shell() {
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const lastPage = useRef(route.page);
  const showToast = useToast();

  useAppEvents((event) => {
    if (event.type === "skills-changed") showToast(changesText(event));
    if (event.type === "skills-switched" && switchText(event) !== "") showToast(switchText(event));
  });
  useRefusedDrops();
  // The answer to a first message should not wait for this file, and a visit without one does not need it.
  useEffect(() => {
    const load = () => void loadChat().catch(() => {});
    addEventListener("keydown", load, { once: true });
    addEventListener("pointerdown", load, { once: true });
    return () => {
      removeEventListener("keydown", load);
      removeEventListener("pointerdown", load);
    };
  }, []);
  useEffect(() => {
    // Chats focus their own message field.
    if (lastPage.current !== route.page && FOCUSED.has(route.page)) main.current?.focus();
    lastPage.current = route.page;
  }, [route.page]);

  return (
    <DrawerProvider>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      {(route.page === "draft" || route.page === "chat") && (
        // biome-ignore lint/a11y/useValidAnchor: it leads further into the content that it names
        <a className="skip-link" href="#content" onClick={focusMessage}>
          Skip to the message field
        </a>
      )}
      <div className="shell">
        <Sidebar route={route} />
        <main id="content" ref={main} tabIndex={-1}>
          <Suspense fallback={<Loading />}>
            <Page route={route} />
          </Suspense>
        </main>
      </div>
    </DrawerProvider>
  );
}

/** On pages without the field, the link leads to the content. */
function focusMessage(event: MouseEvent): void {
  const field = document.getElementById("message");
  if (field === null) return;
  event.preventDefault();
  field.focus();
}

function Loading() {
  return (
    <div className="page">
      <Skeleton lines={6} />
    </div>
  );
}

const FOCUSED: ReadonlySet<Route["page"]> = new Set(["skills", "skill", "bin"]);

/** Skill pages show more to admins, so they reload on sign-in and sign-out. */
function Page({ route }: { readonly route: Route }) {
  const { binDays, hasSkills, isAdmin } = useApp().state;
  switch (route.page) {
    case "draft":
      return <DraftPage />;
    case "chat":
      return <ChatPage key={route.id} id={route.id} />;
    case "skills":
      return hasSkills ? <SkillsPage key={String(isAdmin)} /> : <NotFound />;
    case "skill":
      return hasSkills ? <SkillPage key={`${isAdmin} ${route.name}`} name={route.name} /> : <NotFound />;
    case "bin":
      return binDays > 0 ? <BinPage /> : <NotFound />;
    case "unknown":
      return <NotFound />;
  }
}
