import { parseArgs } from "node:util";
import { DEFAULTS } from "../packages/skillset/src/core/base/limits.ts";
import { createRankIndex } from "../packages/skillset/src/core/search/rank.ts";
import { createRandom } from "./corpus/random.ts";
import { contenders, type Search } from "./rank/contenders.ts";
import { type Request, readJudged, readRequests, readSkills } from "./rank/requests.ts";
import { writeSection } from "./write-section.ts";

const { positionals, values } = parseArgs({ allowPositionals: true, options: { out: { type: "string" } } });
const [corpus] = positionals;
if (corpus === undefined) {
  console.error("usage: node bench/rank.ts FOLDER [--out FILE.md]");
  console.error("FOLDER has skills.jsonl.gz (dir, text) and queries.jsonl (query, skill, shouldTrigger, kind).");
  process.exit(1);
}

const found = readSkills(corpus);
const skills = found.map(({ skill }) => skill);
const requests = readRequests(corpus, found);
const positive = requests.filter(({ answers }) => answers.size > 0);
const judged = readJudged(found);
const index = await createRankIndex(skills);
const tfIdf = await contenders.tfIdf(skills);
const before = await contenders.before(skills);
const now = await contenders.now(skills);
const short = await contenders.short(skills);
const heldOutRequests = positive.filter(({ heldOut }) => heldOut);

const report = [
  `${positive.length} real requests to ${skills.length.toLocaleString("en")} public skills, Node ${process.versions.node}. Recall at 1 / 5 / 10 in %; the gain is at 1, with its 95 % interval over skills (bootstrap).`,
  ...[true, false].flatMap((heldOut) => ["", ...tabulateRequests(heldOut)]),
  "",
  `With \`body: false\`, all held-out requests: ${recall(placesOf(short, heldOutRequests))}, instead of ${recall(placesOf(now, heldOutRequests))} with instructions.`,
  "",
  ...tabulateJudged(),
  "",
  ...tabulateFit(),
].join("\n");
console.log(report);
if (values.out !== undefined) writeSection(values.out, "rank", report);

function tabulateRequests(heldOut: boolean): string[] {
  const half = positive.filter((request) => request.heldOut === heldOut);
  const isEnglish = ({ language }: Request) => language === "English";
  const groups = new Map<string, readonly Request[]>();
  for (const kind of ["trigger", "declared trigger", "task", "routing"]) {
    groups.set(
      `English, ${kind}`,
      half.filter((request) => isEnglish(request) && request.kind === kind),
    );
  }
  for (const language of ["Chinese", "French", "Japanese", "other"]) {
    groups.set(
      language,
      half.filter((request) => request.language === language),
    );
  }
  groups.set("all English", half.filter(isEnglish));
  groups.set(
    "all other languages",
    half.filter((request) => !isEnglish(request)),
  );
  return [
    `| ${heldOut ? "requests for held-out skills" : "requests used for tuning"} | count | TF-IDF | before | now | gain |`,
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    ...[...groups]
      .filter(([, group]) => group.length > 0)
      .map(([name, group]) => {
        const recalls = [tfIdf, before, now].map((search) => recall(placesOf(search, group)));
        return `| ${name} | ${group.length} | ${recalls.join(" | ")} | ${gainAtOne(group)} |`;
      }),
  ];
}

function tabulateJudged(): string[] {
  const single = judged.filter(({ needs }) => needs.length === 1);
  const several = judged.filter(({ needs }) => needs.length > 1);
  const rows = [
    ["English", single.filter(({ language }) => language === "en")] as const,
    ["other languages", single.filter(({ language }) => language !== "en")] as const,
    ["needs two skills: all of them", several] as const,
  ].map(([name, group]) => {
    const recalls = [tfIdf, before, now].map((search) =>
      recall(
        group.map(({ query, needs }) => {
          const result = search(query);
          const places = needs.map((right) => result.findIndex((skill) => right.has(skill)));
          return places.includes(-1) ? -1 : Math.max(...places);
        }),
      ),
    );
    return `| ${name} | ${group.length} | ${recalls.join(" | ")} |`;
  });
  return [
    "| judged requests, with every right skill | count | TF-IDF | before | now |",
    "| --- | ---: | ---: | ---: | ---: |",
    ...rows,
  ];
}

/** For each threshold: the requests without a right skill that get no skill, and the right skills that get lost. */
function tabulateFit(): string[] {
  const rows = [0.1, 0.15, 0.2, 0.25, 0.3].flatMap((threshold) =>
    [false, true].map((heldOut) => {
      const ofHalf = <Item extends { readonly heldOut: boolean }>(items: readonly Item[]) =>
        items.filter((item) => item.heldOut === heldOut);
      const nothing = ofHalf(judged).filter(({ needs }) => needs.length === 0);
      const wrong = ofHalf(requests).filter(({ answers }) => answers.size === 0);
      const lost = (kind: string) =>
        lostShare(
          ofHalf(positive).filter((request) => request.kind === kind),
          threshold,
        );
      const single = ofHalf(judged).filter(({ needs }) => needs.length === 1);
      const judgedLost = lostShare(
        single.map(({ query, needs }) => ({ query, answers: new Set(needs[0]) })),
        threshold,
      );
      const mark = threshold === DEFAULTS.fit ? " (default)" : "";
      return `| ${threshold}${mark}, ${heldOut ? "held out" : "tuned on"} | ${emptyShare(nothing, threshold)} | ${emptyShare(wrong, threshold)} | ${lost("trigger")} | ${lost("task")} | ${judgedLost} |`;
    }),
  );
  return [
    "| lowest `fit` | nothing fits: answered so | not for this skill: answered so | right skill lost: trigger | task | judged |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    ...rows,
  ];
}

function emptyShare(group: readonly { readonly query: string }[], threshold: number): string {
  const empty = group.filter(({ query }) => index.search(query, { limit: 5 }).every(({ fit }) => fit < threshold));
  return `${empty.length} of ${group.length}`;
}

/** Of the requests with a right skill among the first five, those that lose it. */
function lostShare(group: readonly Pick<Request, "query" | "answers">[], threshold: number): string {
  const fits = group.flatMap(({ query, answers }) => {
    const right = index.search(query, { limit: 5 }).filter(({ skill }) => answers.has(skill));
    return right.length === 0 ? [] : Math.max(...right.map(({ fit }) => fit));
  });
  return `${fits.filter((fit) => fit < threshold).length} of ${fits.length}`;
}

function placesOf(search: Search, group: readonly Request[]): number[] {
  return group.map(({ query, answers }) => search(query).findIndex((skill) => answers.has(skill)));
}

function recall(places: readonly number[]): string {
  return [1, 5, 10]
    .map((depth) => places.filter((place) => place >= 0 && place < depth).length / places.length)
    .map((share) => (share * 100).toFixed(1))
    .join(" / ");
}

/** Draws whole skills, because the requests for one skill are won or lost together. */
function gainAtOne(group: readonly Request[]): string {
  const [old, current] = [placesOf(before, group), placesOf(now, group)];
  const bySource = Map.groupBy(group.keys(), (at) => group[at]?.source);
  const sources = [...bySource.values()].map((places) => ({
    count: places.length,
    gained: places.reduce((sum, at) => sum + Number(current[at] === 0) - Number(old[at] === 0), 0),
  }));
  const share = (drawn: typeof sources) => {
    const count = drawn.reduce((sum, source) => sum + source.count, 0);
    return (100 * drawn.reduce((sum, source) => sum + source.gained, 0)) / count;
  };
  const random = createRandom(1);
  const draws = Array.from({ length: 2000 }, () => share(sources.map(() => random.pick(sources)))).sort(
    (a, b) => a - b,
  );
  const [low, high] = [draws[50], draws[1949]].map((gain) => gain?.toFixed(1));
  return `${share(sources).toFixed(1)} (${low} to ${high})`;
}
