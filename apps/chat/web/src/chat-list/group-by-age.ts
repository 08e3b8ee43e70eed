import type { ChatSummary } from "../../../shared/api.ts";

interface ChatGroup {
  readonly label: string;
  readonly chats: readonly ChatSummary[];
}

/** The order stays; neighbours of about the same age are put under one heading. */
export function groupByAge(chats: readonly ChatSummary[], now = new Date()): ChatGroup[] {
  const groups = Map.groupBy(chats, ({ updatedAt }) => ageLabel(new Date(updatedAt), now));
  return [...groups].map(([label, group]) => ({ label, chats: group }));
}

function ageLabel(date: Date, now: Date): string {
  const days = Math.round((startOfDay(now) - startOfDay(date)) / 86_400_000);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  return days <= 7 ? "Last seven days" : "Earlier";
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
