import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo } from "react";
import type { AppState } from "../../../shared/api.ts";
import type { SkillCommand } from "../../../shared/skills-api.ts";
import { Failure } from "../ui/failure.tsx";
import { useAppEvents } from "./use-app-events.ts";
import { useResource } from "./use-resource.ts";

interface App {
  readonly state: AppState;
  /** The skills that `/` lists; empty while skills are disabled, and until they are loaded. */
  readonly commands: readonly SkillCommand[];
  readonly commandsState: "loading" | "loaded" | "failed";
  /** Call it after the admin token changes. */
  reload(): Promise<void>;
}

const Context = createContext<App | undefined>(undefined);

export function useApp(): App {
  const app = useContext(Context);
  if (app === undefined) throw new Error("useApp needs an AppProvider above it.");
  return app;
}

export function AppProvider({ children }: { readonly children: ReactNode }) {
  const state = useResource<AppState>("/api/state");
  const commands = useResource<readonly SkillCommand[]>(state.data?.hasSkills ? "/api/commands" : undefined);
  useAppEvents(({ type }) => {
    if (type !== "chats-changed") void commands.reload();
  });
  const { reload } = state;
  const hasFailed = commands.error !== undefined;
  const app = useMemo((): App | undefined => {
    if (state.data === undefined) return undefined;
    const isLoaded = commands.data !== undefined || !state.data.hasSkills;
    const commandsState = isLoaded ? "loaded" : hasFailed ? "failed" : "loading";
    return { state: state.data, commands: commands.data ?? NONE, commandsState, reload };
  }, [state.data, commands.data, hasFailed, reload]);
  // What index.html shows until there is something better.
  const isShown = app !== undefined || state.error !== undefined;
  useLayoutEffect(() => {
    if (isShown) document.getElementById("skeleton")?.remove();
  }, [isShown]);
  if (app === undefined) {
    if (state.error === undefined) return null;
    return (
      <main className="page">
        <Failure message={state.error} onRetry={() => void reload()} />
      </main>
    );
  }
  return <Context value={app}>{children}</Context>;
}

const NONE: readonly SkillCommand[] = [];
