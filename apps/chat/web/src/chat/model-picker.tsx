import { useApp } from "../api/app-state.tsx";

interface ModelPickerProps {
  readonly modelId: string;
  readonly onChange: (modelId: string) => void;
}

export function ModelPicker({ modelId, onChange }: ModelPickerProps) {
  const { models } = useApp().state;
  return (
    <label className="model-picker">
      <span className="visually-hidden">Model</span>
      <select value={modelId} onChange={(event) => onChange(event.target.value)}>
        {models.map(({ id, label, hasTools, isOffline }) => (
          <option key={id} value={id}>
            {hasTools || isOffline ? label : `${label} (no tools)`}
          </option>
        ))}
      </select>
    </label>
  );
}
