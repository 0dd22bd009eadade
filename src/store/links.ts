/** Links and the draft: a link never overwrites local edits or a run without asking. */
import {
  decodeLink,
  decodePlace,
  encodeLink,
  encodePlace,
  sameSpec,
  type DecodedLink,
} from "../spec/link.ts";
import type { LinkPlace } from "../spec/linkExtras.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { START_VIEW } from "./curvesView.ts";
import { isBusy } from "./experimentStore.ts";
import { type ExperimentStore } from "./experimentState.ts";
import { type ExperimentState } from "./experimentState.ts";
import { type Screen } from "./experimentState.ts";
import {
  compareFingerprint,
  isReproducible,
  traceOf,
  type FingerprintCheck,
} from "../reading/fingerprint.ts";
import { readArrangement, writeArrangement } from "./lens.ts";
import { curveSettings } from "./curveSettings.ts";
import { inOrder, readSettings } from "./lensSettings.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import { hasEdits, openDraft } from "./specDraft.ts";
import { readChoice, resolveChoice, writeChoice, type TurnChoice } from "./turnChoice.ts";

/** Whether a hash means to be an experiment, however damaged; plain words are places in the page. */
export function isExperimentHash(hash: string): boolean {
  const text = hash.replace(/^#/, "");
  return text !== "" && (/^v\d/i.test(text) || !/^[a-z][\w-]*$/i.test(text));
}

/** Takes in a link that arrived: at once when nothing can be lost, else as a question. */
export function receiveLink(store: ExperimentStore, hash: string): void {
  if (store.getState().home !== null) return receivePlace(store, hash);
  const link = decodeLink(hash);
  // The page shows it already; all else of the place waits with the link.
  store.setState({ screen: screenOf(link) });
  const state = store.getState();
  const isHere = sameSpec(link.spec, state.draft.spec);
  if (isHere && link.fingerprint === null && link.trace === null)
    store.setState({ warnings: [...link.warnings, ...goTo(store, link)], waitingLink: null });
  else if (hasEdits(state.draft) || isBusy(state)) store.setState({ waitingLink: link });
  else openLink(store, link);
}

/** The notebook says the experiment; its address leads to a place only. */
function receivePlace(store: ExperimentStore, hash: string): void {
  const place = decodePlace(hash);
  store.setState({ screen: screenOf(place) });
  store.setState({ warnings: [...place.warnings, ...goTo(store, place)] });
}

type Place = Omit<DecodedLink, "spec">;

const screenOf = ({ view }: Place): Screen => (view === "lens" ? "lens" : "notebook");

/**
 * Shows the place that a link leads to; an address without one is the notebook, and leaves the lens as it is. Returns
 * a sentence for each thing of it that there is not.
 */
function goTo(store: ExperimentStore, link: Place): string[] {
  const choice = link.at === null ? null : readChoice(link.at);
  if (choice) store.setState({ choice });
  if (screenOf(link) === "notebook") return [];
  const warnings: string[] = [];
  const { table } = store.getState().lens;
  const arrangement = readArrangement(table, link, warnings);
  const { settings, curves, warnings: unread } = readSettings(table, link.settings);
  store.setState({ lens: { ...arrangement, settings }, curves: { ...START_VIEW, ...curves } });
  return [...warnings, ...unread];
}

/** Opens a link's experiment and the place that it leads to, whatever is there now. */
export function openLink(store: ExperimentStore, link: DecodedLink): void {
  store.setState({
    draft: openDraft(link.spec),
    expected: expectationOf(link),
    warnings: [...link.warnings, ...goTo(store, link)],
    waitingLink: null,
  });
}

export function dismissLink(store: ExperimentStore): void {
  store.setState({ waitingLink: null });
}

function expectationOf({ spec, fingerprint, trace }: DecodedLink): ExperimentState["expected"] {
  if (fingerprint === null && trace === null) return null;
  return { spec, fingerprint: fingerprint ?? undefined, trace: trace ?? undefined };
}

/** The link of what the form says; with the fingerprint when a finished live run of just that is there. */
export function linkOf(state: ExperimentState): string {
  const { draft, view, fingerprint, runSpec } = state;
  const ran = runSpec !== null && view.origin === "live" && sameSpec(runSpec, draft.spec);
  if (ran && fingerprint !== null && isReproducible(view.log))
    return encodeLink(pinned(draft.spec, view.log), {
      fingerprint,
      trace: traceOf(view.log),
      ...placeOf({ ...state, choice: standing(state) }),
    });
  return openLinkOf({ ...state, home: null, choice: standing(state) });
}

/** Where the cursor of the lens stands, in full: a run that is further on, or another one, has another newest turn. */
function standing({ view, choice, screen }: ExperimentState): TurnChoice {
  const { algorithm, iteration, episodes, episode, turn, token } = resolveChoice(view.log, choice);
  if (screen !== "lens" || episodes.length === 0) return choice;
  return { ...choice, algorithm, iteration, episode, turn, token };
}

/** With the engine that ran: a fingerprint promises nothing about another one. */
function pinned(spec: ExperimentSpec, log: RunLog): ExperimentSpec {
  return log.start ? { ...spec, engine: log.start.spec.engine } : spec;
}

/** The link for the address bar: what is open, what was promised of it, and what is looked at. */
export function openLinkOf(state: ExperimentState, screen: Screen = state.screen): string {
  const { draft, expected } = state;
  const place = placeOf({ ...state, screen });
  if (state.home !== null) return encodePlace(state.home, place);
  return encodeLink(draft.spec, { ...stillExpected(draft.spec, expected), ...place });
}

type Placed = Pick<ExperimentState, "screen" | "choice" | "lens" | "curves" | "view">;

/** Without the place of a run that was imported: no link leads to that run. */
function placeOf({ screen, choice, lens, curves, view }: Placed): LinkPlace {
  const at = view.origin === "imported" ? "" : writeChoice(choice);
  const turn = at === "" ? {} : { at };
  if (screen !== "lens") return turn;
  const settings = inOrder(lens.table, { ...curveSettings(curves), ...lens.settings });
  return { view: screen, ...turn, ...writeArrangement(lens), settings };
}

function stillExpected(spec: ExperimentSpec, expected: ExperimentState["expected"]) {
  return expected && sameSpec(spec, expected.spec) ? expected : {};
}

/** How the live run compares with what its link promised. */
export function comparison({
  view,
  runSpec,
  expected,
  draft,
}: Pick<ExperimentState, "view" | "runSpec" | "expected" | "draft">): FingerprintCheck {
  // Before the run: what Run is going to be compared with.
  const promised = expected !== null && sameSpec(draft.spec, expected.spec);
  if (runSpec === null && promised) return { state: "waiting", upTo: 0 };
  const comparable = runSpec !== null && expected !== null && sameSpec(runSpec, expected.spec);
  if (!comparable) return { state: "not-compared" };
  if (!isReproducible(view.log) && view.origin === "live") return { state: "incomparable" };
  return view.origin === "live"
    ? compareFingerprint(view.log, expected)
    : { state: "waiting", upTo: 0 };
}
