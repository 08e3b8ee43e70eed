import { useApp } from "../api/app-state.tsx";

export function OfflineBanner({ modelId }: { readonly modelId: string }) {
  const model = useApp().state.models.find(({ id }) => id === modelId);
  if (!model?.isOffline) return null;
  return (
    <aside className="offline-banner" aria-label="About this model">
      <strong>Offline demo: no language model</strong>
      <span>A small program on this machine chooses skills and reads their files, so that you can see them work.</span>
    </aside>
  );
}
