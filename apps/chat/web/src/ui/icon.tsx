const PATHS = {
  add: "M12 5v14M5 12h14",
  alert: "M12 4 2.8 19.5h18.4zM12 10v4.2M12 16.9v.2",
  book: "M5 4.5h9.5A3.5 3.5 0 0 1 18 8v11.5H8A3 3 0 0 1 5 16.5zM5 16.5a3 3 0 0 1 3-3h10",
  check: "m5 12.5 4.5 4.5L19 7.5",
  chevron: "m9 6 6 6-6 6",
  close: "M6 6l12 12M18 6 6 18",
  copy: "M9 9h10v10H9zM5 15V5h10",
  dots: "M5 12h.01M12 12h.01M19 12h.01",
  down: "M12 5v14m-6-6 6 6 6-6",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  file: "M6 3.5h8L18.5 8v12.5H6zM14 3.5V8h4.5",
  layers: "m12 4 8 4.4-8 4.4-8-4.4zM4 12.4l8 4.4 8-4.4M4 16.2l8 4.4 8-4.4",
  menu: "M4 7h16M4 12h16M4 17h16",
  moon: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z",
  refresh: "M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9.3M20 4.5v4.8h-4.8",
  search: "M16 10.5a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM15 14.7l4.5 4.8",
  send: "M12 19V5m-6 6 6-6 6 6",
  shield: "M12 3.5 5 6v5.5c0 4.3 2.9 7.4 7 9 4.1-1.6 7-4.7 7-9V6zM9 12l2.2 2.2L15.2 10",
  stop: "M7 7h10v10H7z",
  sun: "M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M18.4 5.6 17 7M7 17l-1.4 1.4",
  system: "M4 5h16v11H4zM9 20h6M12 16v4",
  terminal: "M4 5h16v14H4zM7.5 9l3 3-3 3M12.5 15h4",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.5 10.5v5.5M13.5 10.5v5.5",
  tool: "M14.5 6a4 4 0 0 0-4.9 5.1L4 16.7 7.3 20l5.6-5.6A4 4 0 0 0 18 9.5l-2.6 2.6-3.5-3.5z",
} as const;

export type IconName = keyof typeof PATHS;

/** Decorative: the text or label next to it carries the meaning. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
