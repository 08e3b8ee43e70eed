import type { ReactNode } from "react";

export type Tone = "neutral" | "good" | "warning" | "bad" | "accent";

export function Badge({ tone = "neutral", children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
