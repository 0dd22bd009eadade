/** An iteration's line of megabytes, read in slices: parsing it at once would block the page. */
import type { EpisodeRecord, TurnRecord, UpdateRecord } from "../../record/runEvent.ts";
import { jsonOrNothing } from "../../spec/jsonText.ts";
import type { Sliced } from "../../numeric/sliced.ts";
import { readEpisode, readTurn } from "./episodeSchema.ts";
import type { IterationDetails } from "./iterationDetails.ts";
import { itemsOf, membersSliced, textAt, type MemberRange, type ByteRange } from "./lineScan.ts";

/** Bytes of a line that can be parsed at once in a few milliseconds. */
export const LONG_LINE = 500_000;

/** The same result as `readDetails` for the line. */
export function* readLongLine(bytes: Uint8Array, line: ByteRange): Sliced<IterationDetails> {
  const members = (yield* membersSliced(bytes, line)) ?? [];
  const [list, steps] = [valueOf(members, "episodes"), valueOf(members, "updates")];
  const episodes: EpisodeRecord[] = [];
  if (list)
    yield* itemsOf(bytes, list, function* (item) {
      const episode = yield* episodeIn(bytes, item);
      if (episode) episodes.push(episode);
      yield;
    });
  const updates: unknown = steps && parsed(bytes, steps);
  return { episodes, updates: Array.isArray(updates) ? (updates as UpdateRecord[]) : null };
}

/** Null if it is invalid. */
function* episodeIn(bytes: Uint8Array, item: ByteRange): Sliced<EpisodeRecord | null> {
  const members = yield* membersSliced(bytes, item);
  const list = members && valueOf(members, "turns");
  if (!members || !list || bytes[list.start] !== LIST) return null;
  const head = members
    .filter(({ name }) => name !== "turns")
    .map(({ whole }) => textAt(bytes, whole));
  const turns: TurnRecord[] = [];
  let fits = true;
  yield* itemsOf(bytes, list, function* (one) {
    const turn = fits ? readTurn(parsed(bytes, one)) : null;
    if (turn) turns.push(turn);
    else fits = false;
    yield;
  });
  return fits ? readEpisode(jsonOrNothing(`{${head.join(",")}}`), turns) : null;
}

const LIST = 0x5b;

/** The last member of that name, as in JSON.parse. */
function valueOf(members: readonly MemberRange[], wanted: string): ByteRange | null {
  return members.findLast(({ name }) => name === wanted)?.value ?? null;
}

function parsed(bytes: Uint8Array, range: ByteRange): unknown {
  return jsonOrNothing(textAt(bytes, range));
}
