type Labels = Readonly<Record<string, string>>;

/** Counters and gauges in the Prometheus text format. */
export class Metrics {
  readonly #help = new Map<string, string>();
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #gauges = new Map<string, { readonly help: string; readonly read: () => number }>();

  /** Increments a counter. */
  count(name: CounterName, labels: Labels = {}, by = 1): void {
    this.#help.set(name, COUNTERS[name]);
    const series = this.#counts.get(name) ?? new Map<string, number>();
    const key = labelText(labels);
    this.#counts.set(name, series.set(key, (series.get(key) ?? 0) + by));
  }

  /** Registers a gauge, which is read on each scrape. */
  gauge(name: string, help: string, read: () => number): void {
    this.#gauges.set(name, { help, read });
  }

  text(): string {
    const lines: string[] = [];
    for (const [name, series] of this.#counts) {
      lines.push(`# HELP ${name} ${this.#help.get(name)}`, `# TYPE ${name} counter`);
      for (const [labels, value] of series) lines.push(`${name}${labels} ${value}`);
    }
    for (const [name, { help, read }] of this.#gauges) {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${read()}`);
    }
    return `${lines.join("\n")}\n`;
  }
}

const COUNTERS = {
  chat_http_requests_total: "Requests, by method and status.",
  chat_answers_total: "Answers, by outcome.",
  chat_answer_seconds_total: "Total duration of answers.",
  chat_skill_activations_total: "Skill activations, by user, model or trigger.",
  chat_script_runs_total: "Scripts that ran or were refused, by outcome.",
  chat_truncations_total: "Truncated instructions and files, counted once per skill and path.",
} as const;

export type CounterName = keyof typeof COUNTERS;

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`,
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
