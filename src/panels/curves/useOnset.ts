/** Since when the story of the cursor's method goes another way, told in slices beside the charts. */
import { use, useMemo } from "react";
import type { OnsetMark } from "../../figures/curves/chart.ts";
import { onsetOf } from "../../figures/story/onset.ts";
import type { Sliced } from "../../numeric/sliced.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import type { Story } from "../../reading/story/story.ts";
import { storyNeeds, toldStories } from "../../reading/story/told.ts";
import { LensContext } from "../../ui/explained.ts";
import { useSliced } from "../../ui/useSliced.ts";
import { useCursor } from "../shared/useCursor.ts";

interface ToldRun {
  log: RunLog;
  stories: Story[];
}

function* tell({ log, length }: { log: RunLog; length: number }): Sliced<ToldRun> {
  return { log, stories: yield* toldStories(log, length) };
}

/** Null until it is known, without a change, and outside the lens. */
export function useOnset(): OnsetMark | null {
  const { view, at } = useCursor();
  const [log, length, isReading] = storyNeeds(view);
  const wanted = useMemo(() => ({ log, length, isReading }), [log, length, isReading]);
  const told = useSliced(wanted, use(LensContext) ? tell : null);
  return useMemo(
    () => (told?.log === log ? onsetOf(told.stories, at.algorithm) : null),
    [told, log, at.algorithm],
  );
}
