/** All environments, in the order in which they are shown: a new one is a line here. */
import { bandit } from "./bandit/descriptor.ts";
import type { EnvironmentDescriptor, EnvironmentKind } from "./descriptor.ts";
import { frozenLake } from "./frozenLake/descriptor.ts";
import type { Picture } from "./picture.ts";
import { sokoban } from "./sokoban/descriptor.ts";
import { webshop } from "./webshop/descriptor.ts";

export const descriptors: readonly EnvironmentDescriptor[] = [sokoban, webshop, frozenLake, bandit];

/** The descriptor of a spec's environment; each kind that a spec can have has one. */
export function descriptorOf(kind: EnvironmentKind): EnvironmentDescriptor {
  return descriptors.find((one) => one.kind === kind)!;
}

/** An observation as a picture, whichever environment it is of; null where it is mere text. */
export function pictureOf(observation: string): Picture | null {
  // Sokoban's symbols are some of the lake's, and a lake is told by its goal: what more is asked of comes first.
  for (const { picture } of [...descriptors].reverse()) {
    const drawn = picture(observation);
    if (drawn) return drawn;
  }
  return null;
}
