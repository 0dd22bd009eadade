/** Which algorithms the address names: `#algorithms-grpo` is one, `#algorithms-grpo-vs-rloo` two side by side. */
import { ALGORITHMS_HASH, useHash } from "./route.ts";

/** Names in the address, at most two, the first to be read. */
export function pickedOf(hash: string): readonly string[] {
  const rest = hash.startsWith(`${ALGORITHMS_HASH}-`) ? hash.slice(ALGORITHMS_HASH.length + 1) : "";
  return rest.split("-vs-").filter(Boolean).slice(0, 2);
}

export function algorithmsHashOf(...names: string[]): string {
  return names.length === 0 ? ALGORITHMS_HASH : `${ALGORITHMS_HASH}-${names.join("-vs-")}`;
}

export function usePicked(): readonly string[] {
  return pickedOf(useHash());
}
