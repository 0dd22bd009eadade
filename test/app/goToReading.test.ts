// @vitest-environment happy-dom
/** Every cause and every metric of the search: shown in a run that has it, explained where it has not. */
import { beforeEach, expect, it } from "vitest";
import { routeOf } from "../../src/app/route.ts";
import { entriesOf } from "../../src/app/palette/entries.ts";
import { causeSection } from "../../src/panels/glossary/causeTerms.ts";
import { manifests } from "../../src/panels/manifests.ts";
import { CAUSE_NAMES } from "../../src/reading/story/causeNames.ts";
import { storiesOf } from "../../src/reading/story/story.ts";
import { viewOf } from "../../src/reading/log/runLog.ts";
import type { RunEvent } from "../../src/record/runEvent.ts";
import { glossary } from "../../src/spec/glossary.ts";
import { metricEntry, metricTable } from "../../src/spec/metricTable.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { MOST_CHARTS } from "../../src/store/curvesView.ts";
import { createExperimentStore } from "../../src/store/experimentStore.ts";
import type { ExperimentStore } from "../../src/store/experimentState.ts";
import { isShown } from "../../src/store/lens.ts";
import { causeEvents } from "../fixtures/causePlants.ts";
import { logOfEvents, madeEpisode, plantedEvents } from "../fixtures/plantedLog.ts";

const entries = entriesOf(() => true, []);
const terms = [...glossary, causeSection].flatMap((section) => section.terms.map(({ id }) => id));

beforeEach(() => {
  location.hash = "";
});

function storeOf(events: readonly RunEvent[]) {
  const store = createExperimentStore(presetSpec("nano"), [], manifests);
  const log = logOfEvents(events);
  store.setState({ view: viewOf(log, "recorded") });
  return { store, log };
}

async function choose(entry: string, store: ExperimentStore | null): Promise<void> {
  const { leads } = entries.find(({ id }) => id === entry)!;
  if (!("reading" in leads)) throw new Error(`${entry} leads elsewhere`);
  await leads.reading(store);
}

/** The term of the glossary that the address leads to; null for another page. */
function explained(): string | null {
  if (routeOf(location.hash) !== "glossary") return null;
  return location.hash.replace("#glossary-", "");
}

it.each(CAUSE_NAMES)(
  "%s: to its onset in a run that has it, else to its explanation",
  async (name) => {
    const { store, log } = storeOf(
      causeEvents(name).map((event) =>
        event.type === "iteration" && event.episodes.length === 0
          ? { ...event, episodes: [madeEpisode(1)] }
          : event,
      ),
    );
    await choose(`causes/${name}`, store);
    const [story] = storiesOf(log);
    const { choice, lens } = store.getState();
    expect(choice.algorithm).toBe(story!.algorithm);
    const found = story!.causes.find(({ cause }) => cause === name)!;
    const shown = found.because.find(({ at }) => at !== null)?.at?.split(",")[1];
    expect(choice.iteration).toBe(Number(shown ?? found.onset));
    expect(lens.settings["story:cause"]).toBe(name);
    expect(isShown(lens, "story")).toBe(true);
    expect(routeOf(location.hash)).toBe("lens");

    for (const other of [storeOf(plantedEvents()).store, null]) {
      location.hash = "";
      await choose(`causes/${name}`, other);
      expect(explained()).toBe(`cause-${name}`);
    }
    expect(terms).toContain(`cause-${name}`);
  },
);

it("shows the chart of every metric that a run has, first where there is space for one", async () => {
  // A turn's number and the environment's name stand where the table has a star.
  const numbers = metricTable.map(({ name }) => name.replaceAll("*", "1"));
  const { store, log } = storeOf(
    plantedEvents({ train: () => Object.fromEntries(numbers.map((name) => [name, 0.5])) }),
  );
  for (const { name } of metricTable) {
    await choose(`metrics/${name}`, store);
    const { metrics, lead } = store.getState().curves;
    const key = lead!.includes("|")
      ? lead!.slice(lead!.indexOf("|") + 1)
      : { reward: "critic/score/mean", success: "sokoban/success" }[lead!]!;
    expect(metricEntry(key)?.name, name).toBe(name);
    expect(log.metrics("train")).toContain(key);
    expect(metrics).toContain(lead);
    expect(metrics.length).toBeLessThanOrEqual(MOST_CHARTS);
    expect(isShown(store.getState().lens, "curves")).toBe(true);
  }
});

it("explains every metric that a run lacks", async () => {
  const { store } = storeOf([]);
  for (const { name } of metricTable) {
    location.hash = "";
    await choose(`metrics/${name}`, store);
    expect(terms, name).toContain(explained());
    expect(store.getState().curves.lead).toBe(null);
  }
});
