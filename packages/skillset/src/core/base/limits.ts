/**
 * Every limit that the library enforces. Hard limits refuse; soft ones cut and say so.
 * Sizes are bytes unless the name says otherwise. Numbers that only tune an algorithm stay beside it.
 */
export const LIMITS = Object.freeze({
  hard: Object.freeze({
    frontmatter: 16 * 1024,
    skillMd: 1024 * 1024,
    file: 16 * 1024 * 1024,
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
    /** What every provider accepts as the name of a function. */
    toolNameCharacters: 64,
    /** Skills and files that one MCP server may list: 25,000 skills of one file, or 1,000 of fifty. */
    listedByServer: 50_000,
    /** A request to an MCP server for an agent: results may be long. */
    request: 16 * 1024 * 1024,
    workspaceFiles: 100_000,
    workspaceNesting: 100,
  }),
  soft: Object.freeze({
    skillMd: 200_000,
    resource: 2_000_000,
    similarPairs: 1_000,
    similarPairsOfSkill: 10,
    /** A conversation with more notices drops the older half, and repeats to the model what still holds. */
    notices: 500,
    noticeCharacters: 500_000,
  }),
  /** What the standard says of lengths, in characters, and what it recommends for the body. */
  standard: Object.freeze({
    name: 64,
    description: 1_024,
    compatibility: 500,
    bodyTokens: 5_000,
    bodyLines: 500,
  }),
  /** How much of a thing a message shows. */
  shown: Object.freeze({
    names: 20,
    issues: 5,
    resultIssues: 10,
    nameCharacters: 80,
    pathCharacters: 200,
    messageCharacters: 500,
  }),
  /** One run of an agent; times are milliseconds. */
  agent: Object.freeze({
    rounds: 100,
    resultAttempts: 5,
    answerCharacters: 1_000_000,
    followedCalls: 10_000,
    pendingEvents: 20_000,
    pendingCharacters: 32_000_000,
    stderrLines: 10,
    stderrCharacters: 4_000,
    /** The bridge must identify itself within this time. */
    bridgeTokenTime: 10_000,
    /** Words that an agent may still say after its result. */
    lastWordsTime: 5_000,
    cancelTime: 5_000,
    closeTime: 2_000,
    endTime: 3_000,
  }),
} as const);

/** What options are when the caller leaves them out. Times are milliseconds. */
export const DEFAULTS = Object.freeze({
  /** The names that a schema lists as an enum: more of them cost more tokens than they help. */
  enumNames: 50,
  /** The file names that an activation lists. */
  listedFiles: 50,
  rankedSkills: 10,
  similarity: 0.8,
  /** How many folders below a source are searched. */
  scanDepth: 1,
  maxSteps: 20,
  /** Tools of skills. */
  toolTimeout: 120_000,
  /** Tools of sections and of runs. */
  ownToolTimeout: 600_000,
  startTimeout: 60_000,
  bridgeTimeout: 10_000,
  idleTimeout: 60_000,
  lockTimeout: 10_000,
  watchDebounce: 200,
  promptsInPage: 100,
  skillsInPage: 20,
  /** The catalog in an MCP server's instructions, of which a client in wide use shows its model 4,096 characters. */
  catalogCharacters: 3_200,
  workspaceBytes: 1024 ** 3,
} as const);

/** The names that models, agents and clients see. */
export const NAMES = Object.freeze({
  /** This library, and the MCP server with the operations on skills. */
  library: "skillset",
  /** The MCP server with the tools and the result of a run. */
  thinkServer: "think",
  /** The MCP server with the tools of a prompt. */
  promptServer: "prompt",
  callTool: "call_tool",
  returnResult: "return_result",
  openSections: "open_sections",
  /** The key under which a value that is no object is wrapped. */
  input: "input",
  result: "result",
  /** Where skills are mounted. */
  skillsFolder: "skills",
} as const);
