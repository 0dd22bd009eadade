/** Everything one can go to or do, from the page's own tables: views, panels, algorithms, presets, terms and actions. */
import { glossary, glossaryTerm } from "../../spec/glossary.ts";
import { CAUSE_NAMES } from "../../reading/story/causeNames.ts";
import { CAUSES } from "../../reading/story/causeTable.ts";
import { metricTable } from "../../spec/metricTable.ts";
import { algorithmNames, resolveAlgorithm } from "../../spec/algorithms.ts";
import { families, algorithmFamily } from "../../spec/algorithmDocs/families.ts";
import { listPresets } from "../../spec/presets.ts";
import { manifests, type PanelId } from "../../panels/manifests.ts";
import { actions, firstKeyOf, keyName } from "../actions.ts";
import { algorithmsHashOf } from "../algorithmsAddress.ts";
import { GLOSSARY_HASH, ROUTES, type Route } from "../route.ts";
import { appWords } from "../strings.ts";
import { goToCause, goToMetric } from "./goToReading.ts";
import type { ExperimentStore } from "../../store/experimentState.ts";
import type { PanelKey } from "../../figures/manifest.ts";
import type { Searched } from "./search.ts";
import type { words } from "./words.ts";

type GroupId = keyof typeof words.groups;

export type Leads =
  | { view: Route }
  | { panel: PanelId }
  | { href: string }
  | { preset: string }
  | { action: PanelKey }
  | { button: HTMLButtonElement }
  /** Depends on the run that is shown. */
  | { reading: (store: ExperimentStore | null) => unknown };

export interface Entry extends Searched {
  id: string;
  group: GroupId;
  /** A few words after the title. */
  detail: string;
  /** Names of its keys. */
  keys: readonly string[];
  leads: Leads;
}

const entry = (group: GroupId, id: string, title: string, leads: Leads, more: Partial<Entry>) => ({
  group,
  id: `${group}/${id}`,
  title,
  detail: "",
  words: "",
  keys: [],
  leads,
  ...more,
});

/** `doable`: whether an action applies to the current page. */
export function entriesOf(
  doable: (action: PanelKey) => boolean,
  buttons: readonly HTMLButtonElement[],
): Entry[] {
  return [...actionEntries(doable), ...buttons.map(ofButton), ...places];
}

function actionEntries(doable: (action: PanelKey) => boolean): Entry[] {
  // The pages have their own entries.
  const others = actions.filter(({ id }) => !ROUTES.some((view) => view === id));
  return others.filter(doable).map((action) => {
    const keys = action.keys.slice(0, 1).map(keyName);
    return entry("actions", action.id, action.name, { action }, { keys });
  });
}

/** A panel's own command, under its own name. */
function ofButton(button: HTMLButtonElement): Entry {
  const title = button.dataset["command"]!;
  return entry("actions", `button-${title}`, title, { button }, {});
}

const views = ROUTES.map((view) => {
  const key = firstKeyOf(view);
  const more = { words: appWords[view], keys: key === null ? [] : [key] };
  return entry("views", view, appWords.links[view], { view }, more);
});

/**
 * Also by its id and its terms: a search for silent groups should find the panel that shows them.
 */
const panels = manifests.map(({ id, title, about, terms }) => {
  const words = [id, about, ...terms.map((term) => glossaryTerm(term).term)].join(" ");
  return entry("panels", id, title, { panel: id }, { detail: about, words });
});

const algorithms = algorithmNames.map((name) => {
  const row = resolveAlgorithm(name);
  const family = families[algorithmFamily(row)];
  const more = { detail: family, words: `${name} ${family}` };
  return entry("algorithms", name, row.title, { href: algorithmsHashOf(name) }, more);
});

const presets = listPresets().map(({ name, title, about }) =>
  entry("presets", name, title, { preset: name }, { detail: about, words: `${name} ${about}` }),
);

const terms = glossary.flatMap(({ terms: all }) =>
  all.map(({ id, term, meaning, verl = "" }) => {
    const more = { detail: meaning, words: `${verl} ${meaning}` };
    return entry("terms", id, term, { href: `${GLOSSARY_HASH}-${id}` }, more);
  }),
);

const causes = CAUSE_NAMES.map((name) => {
  const { title, says, signs } = CAUSES[name];
  const named = signs.flatMap(({ rules }) => rules.map(({ metric }) => metric));
  const more = { detail: says, words: [name, says, ...named].join(" ") };
  const reading = (store: ExperimentStore | null) => goToCause(store, name);
  return entry("causes", name, title, { reading }, more);
});

const metrics = metricTable.map(({ name, title, meaning, also = "" }) => {
  const reading = (store: ExperimentStore | null) => goToMetric(store, name);
  const more = { detail: meaning, words: `${name} ${also} ${meaning}` };
  return entry("metrics", name, title, { reading }, more);
});

const places: readonly Entry[] = [
  ...views,
  ...panels,
  ...causes,
  ...metrics,
  ...algorithms,
  ...presets,
  ...terms,
];
