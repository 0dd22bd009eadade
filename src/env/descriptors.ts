/** All environments, in display order: a new one is a line here. */
import { bandit } from "./bandit/descriptor.ts";
import { defined } from "./definedDescriptor.ts";
import type { EnvironmentDescriptor, EnvironmentKind } from "./descriptor.ts";
import { frozenLake } from "./frozenLake/descriptor.ts";
import type { EnvironmentSpec, WebShopSpec } from "../spec/experiment.ts";
import type { Picture } from "./picture.ts";
import { sokoban } from "./sokoban/descriptor.ts";
import { webshop } from "./webshop/descriptor.ts";

export const descriptors: readonly EnvironmentDescriptor[] = [
  sokoban,
  webshop,
  frozenLake,
  bandit,
  defined,
];

/** The descriptor of a spec's environment; each kind that a spec can have has one. */
export function descriptorOf(kind: EnvironmentKind): EnvironmentDescriptor {
  return descriptors.find((one) => one.kind === kind)!;
}

/** The descriptor for an environment's name in a file; null if there is no such environment here. */
export function knownDescriptor(kind: string | undefined): EnvironmentDescriptor | null {
  return descriptors.find((one) => one.kind === kind) ?? null;
}

/** Whether it is a shop, whose observations are pages. */
export function hasPages(environment: EnvironmentSpec | undefined): environment is WebShopSpec {
  return knownDescriptor(environment?.kind)?.shownAs === "page";
}

/** An observation as a picture, whichever environment it is from; null for plain text. */
export function pictureOf(observation: string): Picture | null {
  return drawnBy(observation)?.picture(observation) ?? null;
}

/** Whether an observation is a board that can be edited by hand. */
export function isEditableBoard(observation: string): boolean {
  return drawnBy(observation)?.editable === true;
}

/**
 * The environment that draws an observation. Sokoban's symbols include some of the lake's, and a
 * lake is recognised by its goal, so the stricter one is tried first.
 */
function drawnBy(observation: string): EnvironmentDescriptor | undefined {
  return descriptors.findLast(({ picture }) => picture(observation) !== null);
}
