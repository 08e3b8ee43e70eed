import type { ChatSummary } from "../../../shared/api.ts";

interface ChatGroup {
  readonly label: string;
  readonly chats: readonly ChatSummary[];
}

/** Groups consecutive chats of a similar age under one heading and keeps their order. */
export function groupByAge(chats: readonly ChatSummary[], now = new Date()): ChatGroup[] {
  const groups = Map.groupBy(chats, ({ updatedAt }) => ageLabel(new Date(updatedAt), now));
  return [...groups].map(([label, group]) => ({ label, chats: group }));
}

function ageLabel(date: Date, now: Date): string {
  const days = Math.round((startOfDay(now) - startOfDay(date)) / 86_400_000);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  return days <= 7 ? "Last 7 days" : "Earlier";
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
