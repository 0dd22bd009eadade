/** Stories for the page: told once for a length of the log, and again when episodes that they asked for have been read. */
import type { Sliced } from "../../numeric/sliced.ts";
import type { RunLog, RunView } from "../log/runLog.ts";
import { tellStories, type Story } from "./story.ts";

interface Telling {
  version: number;
  stories: Story[];
  /** No episode was missing. */
  isWhole: boolean;
  times: number;
}

/** A file's long lines are held a few at a time: more tellings would read them in a circle. */
const MOST_TELLINGS = 4;
/** A live run is told anew after so many more iterations, as work on the page's thread slows it. */
const LIVE_STEP = 5;

const tellings = new WeakMap<RunLog, Telling>();

/** It goes by this whether a story is out of date. */
export function storyNeeds({ log, origin, version }: RunView): [RunLog, number, boolean] {
  const isGoing = origin === "live" && log.end === null;
  const length = isGoing ? -Math.floor(log.finishedIterations / LIVE_STEP) - 1 : version;
  return [log, length, log.isReadingSome];
}

/** For each method of the run, in its order; `version` as `storyNeeds` has the log's length. */
export function* toldStories(log: RunLog, version = log.version): Sliced<Story[]> {
  const known = tellings.get(log);
  const times = known?.version === version ? known.times : 0;
  const waits = log.isReadingSome || times >= MOST_TELLINGS;
  if (known && times > 0 && (known.isWhole || waits)) return known.stories;
  const stories = yield* tellStories(log);
  tellings.set(log, { version, stories, isWhole: !log.isReadingSome, times: times + 1 });
  return stories;
}
