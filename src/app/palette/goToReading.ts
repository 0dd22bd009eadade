/** Where a cause or a metric is to be seen: in the run that is shown if it has it, else explained in the glossary. */
import { onsetPlace } from "../../figures/story/story.ts";
import { story } from "../../figures/story/manifest.ts";
import { metricChoices, namedMetrics } from "../../figures/curves/metrics.ts";
import { inSlices } from "../../numeric/sliced.ts";
import { causeTermId } from "../../panels/glossary/causeTerms.ts";
import { environmentOf } from "../../reading/curveMetrics.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import type { CauseName } from "../../reading/story/causeNames.ts";
import { storyNeeds, toldStories } from "../../reading/story/told.ts";
import { metricTermId } from "../../spec/glossary.ts";
import { metricEntry } from "../../spec/metricTable.ts";
import { setCurves, withMetric } from "../../store/curvesView.ts";
import type { ExperimentStore } from "../../store/experimentState.ts";
import { setLens } from "../../store/lens.ts";
import { withSetting } from "../../store/lensSettings.ts";
import { resolveChoice } from "../../store/turnChoice.ts";
import { goToPanel } from "../lens/goToPanel.ts";
import { GLOSSARY_HASH } from "../route.ts";

// Without a store no experiment is open.

const explain = (term: string) => void (location.hash = `${GLOSSARY_HASH}-${term}`);

/** The cause in the story, with the cursor at its onset: of the cursor's method, else of the one where it is likeliest. */
export async function goToCause(store: ExperimentStore | null, cause: CauseName): Promise<void> {
  if (!store) return explain(causeTermId(cause));
  const { view, choice } = store.getState();
  const { log } = view;
  const stories = await inSlices(toldStories(log, storyNeeds(view)[1]));
  const now = resolveChoice(log, choice).algorithm;
  const told = stories.flatMap(({ algorithm, causes }) =>
    causes.filter((one) => one.cause === cause).map((found) => ({ algorithm, found })),
  );
  const here = told.find(({ algorithm }) => algorithm === now);
  const best = here ?? told.toSorted((a, b) => b.found.weight - a.found.weight)[0];
  if (!best) return explain(causeTermId(cause));
  const place = onsetPlace(log, best.algorithm, best.found);
  store.setState((state) => ({ choice: { ...state.choice, ...place, turn: 0, token: null } }));
  setLens(store, (lens) => ({
    ...lens,
    settings: withSetting(lens.settings, `${story.id}:cause`, story.settings.cause, cause),
  }));
  goToPanel(store, story.id);
}

/** The metric's chart among the curves, added if it is not there. */
export function goToMetric(store: ExperimentStore | null, name: string): void {
  const id = store && chartOf(store.getState().view.log, name);
  if (!store || id === null) return explain(metricTermId(name));
  setCurves(store, withMetric(store.getState().curves.metrics, id));
  goToPanel(store, "curves", `[data-curve="${CSS.escape(id)}"]`);
}

/** The id of the chart of a line of the table; of training where that has it. Null if the run lacks the number. */
function chartOf(log: RunLog, name: string): string | null {
  const choices = [...metricChoices([log], "train"), ...metricChoices([log], "heldout")];
  const measured = choices.find(({ key }) => metricEntry(key)?.name === name);
  if (!measured) return null;
  const named = Object.values(namedMetrics(environmentOf(log)));
  const own = named.find(({ source, key }) => source === measured.source && key === measured.key);
  return (own ?? measured).id;
}
