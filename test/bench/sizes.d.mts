/** A function with a body. */
export interface FunctionSize {
  path: string;
  line: number;
  name: string;
  lines: number;
}

/** A file of src, as its parser reads it. */
export interface SourceFile {
  path: string;
  functions: FunctionSize[];
}

export function readSources(): SourceFile[];
/** Exported names that more than one file defines, and where. */
export function namesOfMany(sources: SourceFile[]): Map<string, string[]>;
/** Functions over 60 lines, the longest first. */
export function longFunctions(sources: SourceFile[]): FunctionSize[];
