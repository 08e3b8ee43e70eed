import { describe, expect, test } from "vitest";
import { defineSkill } from "../skill/define-skill.ts";
import { splitClauses } from "./clauses.ts";
import type { RankedSkill } from "./rank.ts";
import { createRankIndex } from "./rank.ts";
import { createShortlist } from "./shortlist.ts";

describe("a message is split into clauses", () => {
  test.each([
    ["Review the pull request, and then deploy the web app.", ["Review the pull request", "deploy the web app"]],
    ["Fix the login bug; write a changelog entry", ["Fix the login bug", "write a changelog entry"]],
    ["- convert the pdf file\n- send it to Anna by mail", ["convert the pdf file", "send it to Anna by mail"]],
    [
      "Prüfe die Rechnung von Meier und dann bezahle sie sofort",
      ["Prüfe die Rechnung von Meier", "bezahle sie sofort"],
    ],
    ["翻译这份合同，然后发送给客户经理", ["翻译这份合同", "发送给客户经理"]],
    ["Use version 1.2.3 of the parser at https://example.com/a,b", undefined],
    ["Yes, do it", undefined],
  ])("%s", (text, expected) => {
    const clauses = splitClauses(text).map((clause) => clause.replace(/^- /, "").trim());
    expect(clauses).toEqual(expected ?? [text.replaceAll(", ", " ")]);
  });

  test("at most twelve", () => {
    expect(splitClauses("sort all numbers again. ".repeat(1_000))).toHaveLength(12);
  });

  test.each(["", "  \n ", "…"])("none of %j", (text) => {
    expect(splitClauses(text).join("")).toBe(text.trim());
  });
});

describe("a shortlist", () => {
  const skills = [
    ...["violin", "orchid", "glacier", "harbour", "comet", "saddle"].map((word) => [
      `study-${word}`,
      `Studies a ${word}.`,
    ]),
    ["web-deploy", "Deploys a web app to production."],
    ["app-deploy", "Deploys a web app to production servers."],
    ["prod-deploy", "Deploys a web app to production quickly."],
    ["pr-review", "Reviews a pull request."],
  ].map(([name = "", description = ""]) => defineSkill({ name, description, body: "" }));
  const shortlist = async (text: string, { only = /./, limit = 5 } = {}) => {
    const index = await createRankIndex(skills);
    const chosen = await createShortlist(text, {
      rank: async (query) => index.search(query),
      librarySize: skills.length,
      isCandidate: ({ name }) => only.test(name),
      limit,
    });
    return chosen.map(({ name }) => name);
  };
  const BOTH = "Deploy the web app to production, and then review the pull request.";

  test("has the skills of each clause before several for one clause", async () => {
    expect((await shortlist(BOTH, { limit: 2 })).sort()).toEqual(["pr-review", expect.stringMatching(/deploy$/)]);
  });

  test("is empty if nothing clearly fits", async () => {
    expect(await shortlist("Thanks, that looks good to me.")).toEqual([]);
    expect(await shortlist("")).toEqual([]);
  });

  test("has no skill that matches far less than one that is not a candidate", async () => {
    expect(await shortlist("Review the pull request of the web app.", { only: /deploy$/ })).toEqual([]);
  });

  test("counts words that are already matched less, whatever the ranking's order", async () => {
    const hits = [
      { score: 10, matched: ["deploy", "app"] },
      { score: 9.9, matched: ["deploy", "app"] },
      { score: 9, matched: ["review", "request"] },
    ];
    const [a, b, c] = skills;
    const ranked = skills
      .slice(0, 3)
      .map((skill, at): RankedSkill => ({ skill, fit: 1, score: 0, matched: [], ...hits[at] }));
    const options = { rank: async () => ranked, librarySize: 100, isCandidate: () => true };
    expect(await createShortlist("deploy app review request", options)).toEqual([a, c, b]);
  });
});
