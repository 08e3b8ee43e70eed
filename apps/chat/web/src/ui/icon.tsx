const PATHS = {
  add: "M12 5v14M5 12h14",
  alert: "M12 4 2.8 19.5h18.4zM12 10v4.2M12 16.9v.2",
  chat: "M5 5h14v11h-8l-4 3.5V16H5z",
  attach: "m19.5 11.4-7.7 7.7a4.7 4.7 0 0 1-6.6-6.6l8-8a3.1 3.1 0 0 1 4.4 4.4l-8 8a1.6 1.6 0 0 1-2.2-2.2l7.3-7.3",
  check: "m5 12.5 4.5 4.5L19 7.5",
  chevron: "m9 6 6 6-6 6",
  close: "M6 6l12 12M18 6 6 18",
  copy: "M9 9h10v10H9zM5 15V5h10",
  dots: "M6 12h.01M12 12h.01M18 12h.01",
  download: "M12 4v11.5m-5-5 5 5 5-5M5 20h14",
  down: "M12 5v14m-6-6 6 6 6-6",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  eye: "M2.8 12S6 5.8 12 5.8 21.2 12 21.2 12 18 18.2 12 18.2 2.8 12 2.8 12zM14.6 12a2.6 2.6 0 1 1-5.2 0 2.6 2.6 0 0 1 5.2 0z",
  expand: "m7.5 9.5 4.5 4.5 4.5-4.5",
  file: "M6 3.5h8L18.5 8v12.5H6zM14 3.5V8h4.5",
  keyboard: "M3.5 6.5h17v11h-17zM7 10h.01M10.5 10h.01M14 10h.01M17 10h.01M8 14h8",
  menu: "M4 7h16M4 12h16M4 17h16",
  model: "M12 4v3M12 17v3M4 12h3M17 12h3M8 8h8v8H8z",
  moon: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z",
  previous: "M14.5 6 8.5 12l6 6",
  fork: "M7 7.5v9M7 7.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7 20.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM17 7.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM17 7.5c0 5-10 3.5-10 9",
  refresh: "M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9.3M20 4.5v4.8h-4.8",
  search: "M16 10.5a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM15 14.7l4.5 4.8",
  send: "M12 19V5m-6 6 6-6 6 6",
  shield: "M12 3.5 5 6v5.5c0 4.3 2.9 7.4 7 9 4.1-1.6 7-4.7 7-9V6zM9 12l2.2 2.2L15.2 10",
  skill: "m12 4 8 4.4-8 4.4-8-4.4zM4 12.4l8 4.4 8-4.4M4 16.2l8 4.4 8-4.4",
  stop: "M7 7h10v10H7z",
  sun: "M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M18.4 5.6 17 7M7 17l-1.4 1.4",
  system: "M4 5h16v11H4zM9 20h6M12 16v4",
  terminal: "M4 5h16v14H4zM7.5 9l3 3-3 3M12.5 15h4",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.5 10.5v5.5M13.5 10.5v5.5",
  wrap: "M4 6.5h16M4 12h13a3 3 0 0 1 0 6h-4.5m2.5-2.5-2.5 2.5 2.5 2.5M4 17.5h4",
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
