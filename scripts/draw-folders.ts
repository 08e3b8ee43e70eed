import type { FolderImport } from "./folder-imports.ts";

/** A section of the picture, such as one package; its folders are boxes. */
export interface Section {
  readonly folder: string;
  readonly title: string;
}

interface Box {
  readonly name: string;
  readonly lines: readonly string[];
  readonly layer: number;
  readonly width: number;
  height: number;
  x: number;
  y: number;
}

/** The files outside the folders of a section. */
const FILES = "*.ts";
const [CHARACTER, LINE, GAP, MARGIN, BETWEEN] = [6.6, 16, 22, 24, 54];

/** Returns the picture. In each section, arrows point down, from a folder to the folders that it imports from. */
export function drawFolders(sections: readonly Section[], imports: readonly FolderImport[]): string {
  const parts = sections.map((section) => layOut(section, imports));
  const width = Math.max(...parts.map((part) => part.width)) + 2 * MARGIN;
  let top = MARGIN;
  const drawn = parts.map((part) => {
    const at = `translate(${round((width - part.width) / 2)} ${round(top)})`;
    top += part.height + BETWEEN;
    return `<g transform="${at}">\n${part.svg}\n</g>`;
  });
  const height = top - BETWEEN + MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}" role="img" aria-label="Folders and their imports">
<style>
  svg { background: #ffffff; font: 11px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
  rect { fill: #f6f8fa; stroke: #8c959f; } text { fill: #57606a; } .name, .title { fill: #1f2328; font-weight: 600; }
  .title { font-size: 14px; } path { fill: none; stroke: #8c959f; } marker path { fill: #8c959f; stroke: none; }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; } rect { fill: #161b22; stroke: #6e7681; } text { fill: #9198a1; }
    .name, .title { fill: #f0f6fc; } path { stroke: #6e7681; } marker path { fill: #6e7681; }
  }
</style>
<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>
${drawn.join("\n")}
</svg>
`;
}

function layOut({ folder, title }: Section, imports: readonly FolderImport[]) {
  const own = imports.filter(({ file }) => `${file}`.startsWith(`${folder}/`));
  const inside = own.filter(({ to }) => isWithin(to, folder));
  const topOf = (path: string): string => path.slice(folder.length + 1).split("/")[0] || FILES;
  const edges = reduce(unique(inside.map(({ from, to }) => [topOf(from), topOf(to)] as const)));
  const names = new Set(inside.length === 0 ? [FILES] : inside.flatMap(({ from, to }) => [topOf(from), topOf(to)]));
  const layers = layersOf(names, edges);
  const boxes = [...names].map((name): Box => {
    const lines = name === FILES ? [] : nestedRows(`${folder}/${name}`, inside);
    const widest = Math.max(...[name, ...lines].map((line) => line.length));
    const size = { width: widest * CHARACTER + 20, height: (lines.length + 1) * LINE + 12 };
    return { name, lines, layer: layers.get(name) ?? 0, ...size, x: 0, y: 0 };
  });
  // An edge across several layers gets a place in each of them, so that it does not cross a box.
  const routes = edges.map(([from, to]) => {
    const [upper = 0, lower = 0] = [layers.get(from), layers.get(to)];
    const between = Array.from({ length: Math.max(upper - lower - 1, 0) }, (_, index): Box => {
      return { name: "", lines: [], layer: upper - index - 1, width: 4, height: 0, x: 0, y: 0 };
    });
    const end = (name: string): Box => boxes.find((box) => box.name === name) as Box;
    return [end(from), ...between, end(to)];
  });
  const all = [...boxes, ...routes.flatMap((route) => route.slice(1, -1))];
  const { width, height } = place(all, routes);
  const elsewhere = [...new Set(own.filter(({ to }) => !isWithin(to, folder)).map(({ to }) => to))].sort();
  const note = elsewhere.length === 0 ? [] : [`imports ${elsewhere.map(shorten).join(", ")}`];
  const svg = [
    `<text class="title" x="0" y="12">${title}</text>`,
    ...note.map((text) => `<text x="0" y="30">${text}</text>`),
    ...routes.map((route) => `<path d="${curve(route)}" marker-end="url(#arrow)"/>`),
    ...boxes.map(drawBox),
  ].join("\n");
  const noteWidth = Math.max(title.length * 9, ...note.map((text) => text.length * CHARACTER));
  return { svg, width: Math.max(width, noteWidth), height };
}

function drawBox({ name, lines, x, y, width, height }: Box): string {
  const rows = lines.map(
    (line, row) => `<text x="${round(x + 10)}" y="${round(y + 19 + (row + 1) * LINE)}">${line}</text>`,
  );
  const frame = `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="5"/>`;
  return `${frame}<text class="name" x="${round(x + 10)}" y="${round(y + 19)}">${name}</text>${rows.join("")}`;
}

/** Returns the folders inside a folder, one row per layer: each imports only from the rows below it. */
function nestedRows(folder: string, imports: readonly FolderImport[]): string[] {
  const nameOf = (path: string): string => path.slice(folder.length + 1);
  const nested = imports.flatMap(({ from, to }) => [from, to]).filter((path) => path.startsWith(`${folder}/`));
  const names = new Set(nested.map(nameOf));
  const edges = imports
    .filter(({ from, to }) => names.has(nameOf(from)) && names.has(nameOf(to)) && isWithin(from, folder))
    .map(({ from, to }) => [nameOf(from), nameOf(to)] as const);
  const layers = layersOf(names, edges);
  const rows = Map.groupBy([...names].sort(), (name) => layers.get(name) ?? 0);
  return [...rows].sort(([a], [b]) => b - a).flatMap(([, row]) => wrap(row));
}

/** Joins names to lines of limited length; the second line of a row and the following ones are indented. */
function wrap(names: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + name.length < MAX_LINE) lines[lines.length - 1] = `${last}  ${name}`;
    else lines.push(last === undefined ? name : `\u00A0\u00A0${name}`);
  }
  return lines;
}

const MAX_LINE = 48;

type Edge = readonly [string, string];

/** Returns the longest path below each folder. An edge that closes a cycle is left out. */
function layersOf(names: Iterable<string>, edges: readonly Edge[]): ReadonlyMap<string, number> {
  const layers = new Map<string, number>();
  const visit = (name: string, above: readonly string[]): number => {
    const known = layers.get(name);
    if (known !== undefined) return known;
    const below = edges.filter(([from, to]) => from === name && to !== name && !above.includes(to));
    const layer = Math.max(-1, ...below.map(([, to]) => visit(to, [...above, name]))) + 1;
    layers.set(name, layer);
    return layer;
  };
  for (const name of [...names].sort()) visit(name, []);
  return layers;
}

function unique(edges: readonly Edge[]): Edge[] {
  const byName = new Map(edges.filter(([from, to]) => from !== to).map((edge) => [edge.join(" "), edge]));
  return [...byName.values()].sort((a, b) => (a.join(" ") < b.join(" ") ? -1 : 1));
}

/** Removes the edges that others imply, because a picture of all edges is unreadable. */
function reduce(edges: readonly Edge[]): Edge[] {
  const reaches = (from: string, to: string, seen: Set<string>): boolean =>
    edges.some(([a, b]) => a === from && (b === to || (!seen.has(b) && reaches(b, to, seen.add(b)))));
  return edges.filter(
    ([from, to]) => !edges.some(([a, b]) => a === from && b !== to && reaches(b, to, new Set([from, b]))),
  );
}

/** Places every box, and moves boxes towards those that they are connected with. */
function place(boxes: readonly Box[], routes: readonly (readonly Box[])[]): { width: number; height: number } {
  const layers = [...Map.groupBy(boxes, ({ layer }) => layer)].sort(([a], [b]) => b - a).map(([, row]) => row);
  const links = routes.flatMap((route) => route.slice(1).map((box, index) => [route[index] as Box, box] as const));
  const widthOf = (row: readonly Box[]): number => row.reduce((sum, { width }) => sum + width + GAP, -GAP);
  const width = Math.max(0, ...layers.map(widthOf));
  const middle = ({ x, width: own }: Box): number => x + own / 2;
  const spread = (row: readonly Box[]): void => {
    let x = (width - widthOf(row)) / 2;
    for (const box of row) {
      box.x = x;
      x += box.width + GAP;
    }
  };
  for (const row of layers) spread(row);
  for (let round = 0; round < 12; round++) {
    for (const row of round % 2 === 0 ? layers : layers.toReversed()) {
      const wish = new Map(
        row.map((box) => {
          const others = links.flatMap(([a, b]) => (a === box ? [b] : b === box ? [a] : []));
          const sum = others.reduce((total, other) => total + middle(other), 0);
          return [box, others.length === 0 ? middle(box) : sum / others.length];
        }),
      );
      row.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0));
      spread(row);
    }
  }
  let y = 44;
  for (const row of layers) {
    const height = Math.max(...row.map((box) => box.height));
    for (const box of row) {
      // An edge that passes a layer stays vertical beside its boxes.
      if (box.name === "") box.height = height;
      box.y = y + (height - box.height) / 2;
    }
    y += height + BETWEEN;
  }
  return { width, height: y - BETWEEN };
}

function curve(route: readonly Box[]): string {
  const steps = route.map(({ x, y, width, height }, index) => {
    const [middle, before] = [round(x + width / 2), route[index - 1]];
    if (before === undefined) return `M${middle} ${round(y + height)}`;
    const [end, isLast] = [round(y), index === route.length - 1];
    const half = round((before.y + before.height + y) / 2);
    const bend = `C${round(before.x + before.width / 2)} ${half} ${middle} ${half} ${middle} ${isLast ? end - 2 : end}`;
    return isLast ? bend : `${bend}V${round(y + height)}`;
  });
  return steps.join("");
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** `packages/skillset/src/acp` is `skillset/acp`. */
function shorten(path: string): string {
  return path.replace(/^(?:packages|apps)\//, "").replace("/src", "");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
