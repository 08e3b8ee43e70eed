import { useEffect, useRef, useState } from "react";
import { AdminDialog } from "./admin/admin-dialog.tsx";
import { useApp } from "./api/app-state.tsx";
import { ChatList } from "./chat-list/chat-list.tsx";
import { PaletteKeys } from "./palette/palette-keys.tsx";
import { Link } from "./router/link.tsx";
import type { Route } from "./router/route.ts";
import { IconButton } from "./ui/button.tsx";
import { useDrawer } from "./ui/drawer.tsx";
import { Icon } from "./ui/icon.tsx";
import { ThemeSwitch } from "./ui/theme-switch.tsx";

export function Sidebar({ route }: { readonly route: Route }) {
  const { state } = useApp();
  const { isNarrow, isOpen, close } = useDrawer();
  const [isAdminOpen, setAdminOpen] = useState(false);
  const root = useRef<HTMLElement>(null);
  const isHidden = isNarrow && !isOpen;

  useEffect(() => {
    if (!isOpen) return;
    const before = document.activeElement;
    root.current?.querySelector<HTMLElement>("a, button")?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [isOpen]);

  return (
    <>
      {isOpen && <div className="backdrop" onPointerDown={close} />}
      <aside ref={root} className="sidebar" inert={isHidden} data-open={isOpen} aria-label="Chats and settings">
        <div className="sidebar-top">
          <Link to="/" className="brand" onClick={close}>
            <Icon name="skill" />
            Skillset
          </Link>
          <PaletteKeys />
          {isNarrow && <IconButton icon="close" label="Close sidebar" onClick={close} />}
        </div>
        <Link
          to="/"
          className="button primary new-chat"
          aria-current={route.page === "draft" ? "page" : undefined}
          onClick={close}
        >
          <Icon name="add" />
          New chat
        </Link>
        <ChatList currentId={route.page === "chat" ? route.id : undefined} onFollow={close} />
        {state.binDays > 0 && (
          <Link
            to="/bin"
            className="foot-link"
            aria-current={route.page === "bin" ? "page" : undefined}
            onClick={close}
          >
            <Icon name="trash" />
            Bin
          </Link>
        )}
        <footer className="sidebar-foot">
          {state.hasSkills && (
            <Link
              to="/skills"
              className="foot-link"
              aria-current={route.page === "skills" || route.page === "skill" ? "page" : undefined}
              onClick={close}
            >
              <Icon name="skill" />
              Skills
            </Link>
          )}
          <button
            type="button"
            className={state.isAdmin ? "foot-link on" : "foot-link"}
            aria-label={state.isAdmin ? "Admin: signed in" : undefined}
            title={state.isAdmin ? "Signed in as admin" : "Sign in to manage skills"}
            onClick={() => setAdminOpen(true)}
          >
            <Icon name="shield" />
            Admin
          </button>
          <ThemeSwitch />
        </footer>
      </aside>
      {isAdminOpen && <AdminDialog onClose={() => setAdminOpen(false)} />}
    </>
  );
}
