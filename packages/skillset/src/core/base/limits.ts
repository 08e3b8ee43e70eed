/**
 * Every limit that the library enforces. Input over a hard limit is rejected; over a soft limit it is cut, with a
 * notice. Sizes are in bytes unless the name says otherwise. Numbers that only tune an algorithm are kept beside it.
 */
export const LIMITS = Object.freeze({
  hard: Object.freeze({
    frontmatter: 16 * 1024,
    skillMd: 1024 * 1024,
    file: 16 * 1024 * 1024,
    /** A binary file in a request to a model. Providers accept 5 MB of base64. */
    sentFile: 3_750_000,
    skill: 64 * 1024 * 1024,
    filesInSkill: 2_000,
    nesting: 16,
    nameCharacters: 256,
    fileNameCharacters: 255,
    problemsInSkill: 100,
    yamlDepth: 32,
    scanDepth: 6,
    scannedFolders: 2_000,
    globAlternatives: 256,
    /** The requirements in one field of a skill. */
    requirements: 32,
    /** Different commands and packages that one load looks up. */
    requirementLookups: 2_000,
    /** The longest function name that every provider accepts. */
    toolNameCharacters: 64,
    /** Skills and files that one MCP server may list: 25,000 skills with one file each, or 1,000 with 50. */
    listedByServer: 50_000,
    /** A request to an agent's MCP server. Results may be long. */
    request: 16 * 1024 * 1024,
    workspaceFiles: 100_000,
    workspaceNesting: 100,
    toolsets: 8,
    toolsInToolset: 64,
    toolDescriptionCharacters: 4_096,
    toolSchema: 16 * 1024,
    /** All descriptions and schemas of a toolset: a model reads them. */
    toolset: 64 * 1024,
    /** Keywords, verbs or patterns of one skill. */
    triggers: 50,
    triggerCharacters: 512,
    /** The instructions of a compiled pattern. Its time is linear in them and in the text. */
    patternSize: 250,
  }),
  soft: Object.freeze({
    skillMd: 200_000,
    resource: 2_000_000,
    similarPairs: 1_000,
    similarPairsOfSkill: 10,
    /** Over this limit a session drops the older half of its notices and repeats those that still apply. */
    notices: 500,
    noticeCharacters: 500_000,
    /** How many characters of a message can trigger a skill. */
    triggerText: 16 * 1024,
    /** How many of them patterns are compared with, which take longer than words. */
    patternText: 4 * 1024,
    /** The time for all patterns and one message, in milliseconds. Patterns that come later do not match. */
    patternTime: 300,
    /** How many characters of a message are searched for skills to suggest. */
    searchedText: 8 * 1024,
    /** The vectors of skills that an embedding keeps in memory. */
    vectors: 100_000,
    /** How many characters of a query a model can search with. */
    query: 2_000,
  }),
  /** The standard's maximum lengths in characters, and its recommendations for the body. */
  standard: Object.freeze({
    name: 64,
    description: 1_024,
    compatibility: 500,
    bodyTokens: 5_000,
    bodyLines: 500,
  }),
  /** How much of a list or text a message shows. */
  shown: Object.freeze({
    names: 20,
    issues: 5,
    resultIssues: 10,
    nameCharacters: 80,
    /** In the results of a search. */
    descriptionCharacters: 300,
    searchedSkills: 20,
    matchedWords: 12,
    /** The suggestions for an unknown name. */
    nearestNames: 5,
    pathCharacters: 200,
    messageCharacters: 500,
  }),
  /** Checking the requirements of skills, in milliseconds: all of them, and a program that reports its version. */
  requirements: Object.freeze({
    time: 10_000,
    versionTime: 5_000,
  }),
  /** One agent run. Times are in milliseconds. */
  agent: Object.freeze({
    rounds: 100,
    resultAttempts: 5,
    answerCharacters: 1_000_000,
    /** The instructions of skills in code that a prompt contains for an agent without MCP. */
    writtenOutCharacters: 200_000,
    followedCalls: 10_000,
    /** What the events of one tool call contain at most. */
    toolCharacters: 1_000_000,
    toolContents: 100,
    toolLocations: 100,
    /** The terminals whose output is followed, and how much of it is kept. */
    terminals: 100,
    terminalCharacters: 100_000,
    pendingEvents: 20_000,
    pendingCharacters: 32_000_000,
    stderrLines: 10,
    stderrCharacters: 4_000,
    /** The bridge must identify itself within this time. */
    bridgeTokenTime: 10_000,
    /** How long an agent may keep writing after its result. */
    lastWordsTime: 5_000,
    closeTime: 2_000,
    endTime: 3_000,
  }),
} as const);

/** Default values of options. Times are in milliseconds. */
export const DEFAULTS = Object.freeze({
  /** Up to this many skill names are an enum in a schema. More cost more tokens than they help. */
  enumNames: 50,
  /** How many file names an activation lists. */
  listedFiles: 50,
  rankedSkills: 10,
  /** The lowest `fit` of a skill that a search returns to a model. */
  fit: 0.2,
  /** How many skills a search returns to a model. */
  searchedSkills: 5,
  /** How many skills a notice suggests, and how many tokens their descriptions take together. */
  suggestedSkills: 5,
  suggestedTokens: 400,
  /** The budget of a catalog. */
  catalogTokens: 8_000,
  /** Up to this many skills, a catalog lists every name, whatever its budget. */
  listedNames: 200,
  similarity: 0.8,
  /** How long a search waits for an embedding model. */
  embeddingTimeout: 5_000,
  /** How many folders below a source are searched. */
  scanDepth: 1,
  maxSteps: 20,
  /** How many characters of each output stream of a script a model gets. */
  scriptCharacters: 20_000,
  /** Timeout of a skill's tools. */
  toolTimeout: 120_000,
  /** Timeout of tools that belong to a prompt section or a run. */
  ownToolTimeout: 600_000,
  startTimeout: 60_000,
  bridgeTimeout: 10_000,
  cancelTimeout: 5_000,
  idleTimeout: 60_000,
  lockTimeout: 10_000,
  watchDebounce: 200,
  promptsInPage: 100,
  skillsInPage: 20,
  /** The size of an MCP server's instructions. A popular client shows its model no more. */
  instructionsCharacters: 4_096,
  workspaceBytes: 1024 ** 3,
} as const);

/** Names that models, agents and clients see. */
export const NAMES = Object.freeze({
  /** The library, and the MCP server with the skill operations. */
  library: "skillset",
  /** The MCP server with a run's tools and its result. */
  thinkServer: "think",
  /** The MCP server with a prompt's tools. */
  promptServer: "prompt",
  callTool: "call_tool",
  returnResult: "return_result",
  openSections: "open_sections",
  readSection: "read_section",
  /** The key under which a non-object value is wrapped. */
  input: "input",
  result: "result",
  /** Where skills are mounted. */
  skillsFolder: "skills",
} as const);
