/** The standard's folders for a skill's files. */
export const FILE_FOLDERS = ["scripts", "references", "assets"] as const;

export type FileFolder = (typeof FILE_FOLDERS)[number];
