/** Names of the lessons in order. */
export function courseOf(root: string): string[];
/** For `define` of a build. */
export function courseDefine(root: string): Record<string, string>;
