import skills from "@/fixtures/skills/README.md?skillset";

/** Turbopack cannot import a folder. */
export const folder = skills;
