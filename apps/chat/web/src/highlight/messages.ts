/** A piece of code of one kind, such as `keyword`: from the first character to the one after the last. */
export type Run = readonly [kind: string, start: number, end: number];

export interface HighlightRequest {
  readonly id: number;
  readonly text: string;
  readonly language: string;
}

export interface HighlightResponse {
  readonly id: number;
  readonly runs: readonly Run[];
}
