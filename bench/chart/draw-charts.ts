/** Several charts with the same lines. Both axes are logarithmic, so that a power of the size is a straight line. */
export type Chart = {
  readonly title: string;
  readonly unit: string;
  /** A level to stay below. */
  readonly goal?: number;
  readonly lines: readonly Line[];
};
export type Line = { readonly name: string; readonly values: readonly (number | undefined)[] };

const [width, height] = [430, 270];
const inner = { left: 64, right: 16, top: 34, bottom: 34 };
const legendHeight = 34;
const LIGHT = ["#0969da", "#8250df", "#9a6700", "#cf222e"];
const DARK = ["#58a6ff", "#bc8cff", "#d29922", "#ff7b72"];

/** Draws charts two in a row, as SVG that is readable on light and dark pages. */
export function drawCharts(sizes: readonly number[], charts: readonly Chart[]): string {
  const rows = Math.ceil(charts.length / 2);
  const [w, h] = [width * 2, height * rows + legendHeight];
  const parts = charts.map((chart, at) => {
    const [x, y] = [(at % 2) * width, Math.floor(at / 2) * height + legendHeight];
    return `<g transform="translate(${x} ${y})">\n${drawChart(sizes, chart)}\n</g>`;
  });
  const names = charts[0]?.lines.map(({ name }) => name) ?? [];
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}" role="img" aria-label="${charts.map(({ title }) => title).join("; ")}">`,
    "<style>",
    "  svg { background: #ffffff; font: 12px ui-sans-serif, system-ui, sans-serif; } text { fill: #57606a; }",
    "  .title { fill: #1f2328; font-weight: 600; } .grid { stroke: #d8dee4; } .goal { stroke: #57606a; stroke-dasharray: 2 4; }",
    "  path { fill: none; stroke-width: 2; }",
    ...LIGHT.map((color, at) => `  ${styleOf(at, color)}`),
    "  @media (prefers-color-scheme: dark) {",
    "    svg { background: #0d1117; } text { fill: #9198a1; } .title { fill: #f0f6fc; }",
    "    .grid { stroke: #30363d; } .goal { stroke: #9198a1; }",
    ...DARK.map((color, at) => `    ${styleOf(at, color)}`),
    "  }",
    "</style>",
    ...names.map((name, at) => drawLegend(name, at)),
    ...parts,
    "</svg>",
  ].join("\n")}\n`;
}

function styleOf(at: number, color: string): string {
  return `path.line-${at} { stroke: ${color}; } .mark-${at} { fill: ${color}; }`;
}

function drawLegend(name: string, at: number): string {
  const x = inner.left + at * 200;
  return `<path class="line-${at}" d="M${x} 18h28"/>${drawMark(at, x + 14, 18)}<text x="${x + 36}" y="22">${name}</text>`;
}

function drawChart(sizes: readonly number[], { title, unit, goal, lines }: Chart): string {
  const measured = lines.flatMap(({ values }) => values).filter((value) => value !== undefined);
  const all = goal === undefined ? measured : [...measured, goal];
  const [low, high] = [Math.floor(Math.log10(Math.min(...all))), Math.ceil(Math.log10(Math.max(...all)))];
  const [first, last] = [Math.log10(sizes[0] ?? 1), Math.log10(sizes.at(-1) ?? 1)];
  const x = (size: number) =>
    round(inner.left + ((Math.log10(size) - first) / (last - first)) * (width - inner.left - inner.right));
  const y = (value: number) =>
    round(height - inner.bottom - ((Math.log10(value) - low) / (high - low)) * (height - inner.top - inner.bottom));
  const grid = Array.from({ length: high - low + 1 }, (_, at) => 10 ** (low + at)).map(
    (value) =>
      `<path class="grid" d="M${inner.left} ${y(value)}H${width - inner.right}"/><text x="${inner.left - 8}" y="${y(value) + 4}" text-anchor="end">${show(value)} ${unit}</text>`,
  );
  return [
    `<text class="title" x="${inner.left}" y="20">${title}</text>`,
    ...grid,
    ...sizes.map(
      (size) =>
        `<text x="${x(size)}" y="${height - inner.bottom + 18}" text-anchor="middle">${size.toLocaleString("en")}</text>`,
    ),
    ...(goal === undefined ? [] : [`<path class="goal" d="M${inner.left} ${y(goal)}H${width - inner.right}"/>`]),
    ...lines.map(({ values }, at) => {
      const points = values.flatMap((value, place) =>
        value === undefined ? [] : [{ x: x(sizes[place] ?? 1), y: y(value) }],
      );
      const line = `<path class="line-${at}" d="M${points.map((point) => `${point.x} ${point.y}`).join("L")}"/>`;
      return points.length === 0 ? "" : line + points.map((point) => drawMark(at, point.x, point.y)).join("");
    }),
  ].join("\n");
}

/** Shapes differ too, for readers who do not see the colours. */
function drawMark(at: number, x: number, y: number): string {
  const shapes = [
    `<circle class="mark-0" cx="${x}" cy="${y}" r="4"/>`,
    `<rect class="mark-1" x="${x - 4}" y="${y - 4}" width="8" height="8"/>`,
    `<polygon class="mark-2" points="${x},${y - 5} ${x + 5},${y + 4} ${x - 5},${y + 4}"/>`,
    `<polygon class="mark-3" points="${x},${y - 6} ${x + 6},${y} ${x},${y + 6} ${x - 6},${y}"/>`,
  ];
  return shapes[at % shapes.length] ?? "";
}

function show(value: number): string {
  return value >= 1 ? value.toLocaleString("en") : String(Number(value.toPrecision(1)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
