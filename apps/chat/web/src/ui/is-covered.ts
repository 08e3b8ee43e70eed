/** Whether a dialog or a panel is open, which has the keys for itself. */
export function isCovered(): boolean {
  return document.querySelector("dialog[open], :popover-open, .sidebar[data-open='true']") !== null;
}
