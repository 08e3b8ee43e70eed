/** The packages that a skill declares in its files. */
export interface DeclaredPackages {
  /** Requirements for pip, such as `requests>=2.31`, in the order of the files. */
  readonly python: readonly string[];
  /** Packages of npm with a range of versions, such as `left-pad@^1.3.0`. */
  readonly npm: readonly string[];
  /** The files of the skill that declare them. */
  readonly files: readonly string[];
  /** Declarations that are never installed. If there is one, nothing is. */
  readonly refused: readonly RefusedPackage[];
  /** Files that were not searched: Python scripts of more than 1 MB, and what is beyond the first 200 files. */
  readonly unread: readonly string[];
}

/** A declaration that is not a plain name with versions. */
export interface RefusedPackage {
  readonly file: string;
  readonly line: number;
  /** What is wrong, and what to write instead. */
  readonly message: string;
}

/** Where packages come from. */
export interface PackageRegistries {
  /** The index for pip, as in `pip install --index-url`. */
  readonly pythonIndex: string;
  /** The registry for npm, as in `npm install --registry`. */
  readonly npmRegistry: string;
}

/** The option `packages` of the option `scripts`. */
export interface PackageOptions extends Partial<PackageRegistries> {
  /**
   * The folder for installed packages. Only its owner may write to it.
   * @default `skillset/packages` in the user's cache folder, and `/var/cache/skillset/packages` for root
   */
  readonly folder?: string;
  /**
   * How long unused packages are kept, in milliseconds.
   * @default 2592000000
   */
  readonly keepFor?: number;
  /**
   * How many bytes the folder may have. Packages that were not used for the longest time are removed first.
   * @default 5000000000
   */
  readonly maxBytes?: number;
}

/** The packages of a skill, and whether its scripts can use them. */
export interface PackageStatus {
  readonly declared: DeclaredPackages;
  /** `none` if nothing is declared, and `unsupported` if the runner cannot use packages. */
  readonly state: "none" | "missing" | "installed" | "unsupported";
  /** The folder with the installed packages. */
  readonly folder?: string;
}

/** The result of `session.scripts.prepare()`. */
export type PrepareResult = PrepareEnd & {
  readonly skill: string;
  /** What contained the installation. */
  readonly level: string;
  readonly declared: DeclaredPackages;
  readonly milliseconds: number;
};

export type PrepareEnd =
  | {
      /** `unchanged` if the packages were installed before, and `nothing-declared` if the skill needs none. */
      readonly outcome: "installed" | "unchanged" | "nothing-declared";
    }
  | {
      /** `refused` if nothing was started, `failed` if pip or npm failed or reached a limit. */
      readonly outcome: "refused" | "failed" | "aborted";
      readonly reason: string;
    };
