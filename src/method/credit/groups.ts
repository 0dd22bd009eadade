/** Groups of equal names. */

/** Indices of equal names, groups in order of first appearance. names [n] -> lists of indices */
export function groups(names: readonly string[]): number[][] {
  const members = new Map<string, number[]>();
  names.forEach((name, i) => {
    const group = members.get(name);
    if (group) group.push(i);
    else members.set(name, [i]);
  });
  return [...members.values()];
}

/** One name for several parts; different parts never make the same name. */
export function joinNames(...parts: (string | number)[]): string {
  return JSON.stringify(parts);
}

/** A trajectory's task on each of its turns. [B] -> [K] */
export function taskOfTurns(task: readonly string[], turnStart: Int32Array): string[] {
  return task.flatMap((name, b) => Array<string>(turnStart[b + 1]! - turnStart[b]!).fill(name));
}
