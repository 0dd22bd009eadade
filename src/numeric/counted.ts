/** Counts in words. */

/** "turn" for one, "turns" for any other number; a plural that does not end in s is passed in. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return n === 1 ? one : many;
}

/** "1 turn", "3 turns". */
export function counted(n: number, one: string, many?: string): string {
  return `${n} ${plural(n, one, many)}`;
}

/** "Level" of "level". */
export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
