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
  text: string;
  functions: FunctionSize[];
}

export function readSources(): SourceFile[];
/** Exported names that more than one file defines, and where. */
export function namesOfMany(sources: SourceFile[]): Map<string, string[]>;
/** Functions over 60 lines, the longest first. */
export function longFunctions(sources: SourceFile[]): FunctionSize[];
/** The READMEs of src. */
export function readReadmes(): Pick<SourceFile, "path" | "text">[];
/** "path:line: text" of each line that matches. */
export function linesOf(sources: Pick<SourceFile, "path" | "text">[], pattern: RegExp): string[];
/** Forms of "tell", in prose and in identifiers. */
export const TOLD: RegExp;
/** A spread of a literal into an object. */
export const PACKED: RegExp;
