import { useApp } from "../api/app-state.tsx";

export function OfflineBanner({ modelId }: { readonly modelId: string }) {
  const model = useApp().state.models.find(({ id }) => id === modelId);
  if (!model?.isOffline) return null;
  return (
    <aside className="offline-banner" aria-label="About this model" title={MORE}>
      <strong>Offline demo: no language model</strong>
      <span>{MORE}</span>
    </aside>
  );
}

const MORE = "A small built-in program follows the instructions of skills to show how they work.";
