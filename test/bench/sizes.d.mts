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
  room: string;
  text: string;
  functions: FunctionSize[];
}

export function readSources(): SourceFile[];
/** What uses src from outside: tests, and the tools' configurations. */
export function readUsers(): SourceFile[];
/** Exported names that more than one file defines, and where. */
export function namesOfMany(sources: SourceFile[]): Map<string, string[]>;
/** Names of types, exported or not, that more than one file declares, and where. */
export function typesOfMany(sources: SourceFile[]): Map<string, string[]>;
/** Files under 40 lines that one file of their room imports, except those that a rule allows. */
export function shortFiles(
  sources: SourceFile[],
): { path: string; lines: number; importer: string }[];
/** Files of src that no entry reaches. */
export function deadFiles(sources: SourceFile[], users: SourceFile[]): string[];
/** Exports that nothing needs that an entry reaches; onlyHere: their own file uses them, and no test either. */
export function deadExports(
  sources: SourceFile[],
  users: SourceFile[],
): { path: string; name: string; onlyHere: boolean }[];
/** Functions over 60 lines, the longest first. */
export function longFunctions(sources: SourceFile[]): FunctionSize[];
/** "path:line: text" of each line that matches. */
export function linesOf(sources: Pick<SourceFile, "path" | "text">[], pattern: RegExp): string[];
/** A spread of a literal into an object. */
export const PACKED: RegExp;
