import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { AppProvider } from "./api/app-state.tsx";
import { Shell } from "./shell.tsx";
import { ErrorBoundary } from "./ui/error-boundary.tsx";
import { Failure } from "./ui/failure.tsx";
import { ToastProvider } from "./ui/toast.tsx";
import "./styles/index.css";

// After an update of the server, an open page asks for files that no longer exist.
addEventListener("vite:preloadError", (event) => {
  const last = Number(sessionStorage.getItem("reloaded"));
  if (Date.now() - last < 60_000) return;
  sessionStorage.setItem("reloaded", String(Date.now()));
  event.preventDefault();
  location.reload();
});

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no #root.");
createRoot(root).render(
  <StrictMode>
    <ErrorBoundary
      fallback={
        <Failure message="The page could not be displayed. Reload it to try again." onRetry={() => location.reload()} />
      }
    >
      <ToastProvider>
        <AppProvider>
          <Shell />
        </AppProvider>
      </ToastProvider>
    </ErrorBoundary>
  </StrictMode>,
);
