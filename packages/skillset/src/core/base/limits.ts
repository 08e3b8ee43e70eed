/**
 * Every size that the library enforces. Hard limits refuse; soft ones cut and say so.
 * Sizes are bytes unless the name says otherwise.
 */
export const LIMITS = {
  hard: {
    frontmatter: 16 * 1024,
    skillMd: 1024 * 1024,
    file: 16 * 1024 * 1024,
    skill: 64 * 1024 * 1024,
    filesInSkill: 2_000,
    nesting: 16,
    nameCharacters: 256,
    problemsInSkill: 100,
    yamlDepth: 32,
    scanDepth: 6,
    scannedFolders: 2_000,
  },
  soft: {
    skillMd: 200_000,
    resource: 2_000_000,
  },
  /** What the standard says of lengths, in characters, and what it recommends for the body. */
  standard: {
    name: 64,
    description: 1_024,
    compatibility: 500,
    bodyTokens: 5_000,
    bodyLines: 500,
  },
} as const;
