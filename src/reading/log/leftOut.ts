/** Reports which episodes of a recording are invalid, so that none is left out silently. */
import { MOST_PLACES } from "../../interchange/import/refused.ts";
import { words } from "../../interchange/import/words.ts";
import { show } from "../../numeric/inputError.ts";
import type { Misfit } from "./episodeSchema.ts";
import { checkDetails, type IndexedEvent } from "./recordingIndex.ts";

interface Tally {
  count: number;
  /** The first of them, in words. */
  places: string[];
}

/** Sentences on what is left out, with the first positions; empty if every episode is valid. */
export function leftOut(bytes: Uint8Array, events: readonly IndexedEvent[]): string[] {
  const episodes: Tally = { count: 0, places: [] };
  const lists: Tally = { count: 0, places: [] };
  checkDetails(bytes, events, (misfit, line) => {
    const tally = misfit.episode === null ? lists : episodes;
    if (++tally.count <= MOST_PLACES) tally.places.push(misfitText(misfit, line));
  });
  return [
    ...(episodes.count > 0 ? [words.leftOut(episodes.count, episodes.places)] : []),
    ...(lists.count > 0 ? [words.leftOutLists(lists.count, lists.places)] : []),
  ];
}

/** For example: line 7, episode 3, turn 2: reward is "much", it must be a number or null. */
function misfitText({ episode, path, value, allowed }: Misfit, line: number): string {
  // Its outer structure was valid when the line was indexed, its content is not.
  if (episode === null && path.length === 0)
    return `${words.part(line, null, null, null)} (${words.noObject})`;
  const [outer, h, inner, t] = path;
  const isTurn = outer === "turns" && typeof h === "number";
  const isToken = isTurn && inner === "tokens" && typeof t === "number";
  const at = words.part(line, episode, isTurn ? h : null, isToken ? t : null);
  const field = fieldText(path.slice(isToken ? 4 : isTurn ? 2 : 0));
  const what = value === undefined ? words.missing : show(value);
  return words.misfit(at, field, what, allowed);
}

/** "actions[1]" for an entry of a list. */
function fieldText(path: readonly PropertyKey[]): string {
  return path.map((key) => (typeof key === "number" ? `[${key}]` : String(key))).join("");
}
