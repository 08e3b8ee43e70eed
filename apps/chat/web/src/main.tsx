import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { AppProvider } from "./api/app-state.tsx";
import { Shell } from "./shell.tsx";
import { ToastProvider } from "./ui/toast.tsx";
import "./styles/index.css";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no #root.");
createRoot(root).render(
  <StrictMode>
    <ToastProvider>
      <AppProvider>
        <Shell />
      </AppProvider>
    </ToastProvider>
  </StrictMode>,
);
