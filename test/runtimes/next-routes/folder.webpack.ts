import skills from "@/fixtures/skills?skillset";

export const folder = skills;
