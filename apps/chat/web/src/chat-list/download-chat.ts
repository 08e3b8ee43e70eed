export function downloadChat(id: string, format: "markdown" | "json"): void {
  const link = document.createElement("a");
  link.href = `/api/chats/${encodeURIComponent(id)}/export?format=${format}`;
  link.download = "";
  link.click();
}
