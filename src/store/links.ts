/** Links and the draft: a link never overwrites local edits or a run without asking. */
import {
  decodeLink,
  decodePlace,
  encodeLink,
  encodePlace,
  sameSpec,
  type DecodedLink,
} from "../spec/link.ts";
import type { Expectation, LinkPlace } from "../spec/linkExtras.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { engineThatDiffers, senderOf, settingsThatDiffer, type Difference } from "./anotherRun.ts";
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
import { curvesTextOf } from "../reading/fingerprintCurves.ts";
import { readArrangement, writeArrangement } from "./lens.ts";
import { curveSettings } from "./curveSettings.ts";
import { inOrder, readSettings } from "./lensSettings.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import { hasEdits, openDraft } from "./specDraft.ts";
import { readChoice, resolveChoice, writeChoice, type TurnChoice } from "./turnChoice.ts";

/**
 * Whether a hash is meant to be an experiment, however damaged; plain words are places in the page.
 */
export function isExperimentHash(hash: string): boolean {
  const text = hash.replace(/^#/, "");
  return text !== "" && (/^v\d/i.test(text) || !/^[a-z][\w-]*$/i.test(text));
}

/** Handles an incoming link: at once if nothing can be lost, otherwise with a question. */
export function receiveLink(store: ExperimentStore, hash: string): void {
  if (store.getState().home !== null) return receivePlace(store, hash);
  const link = decodeLink(hash);
  // The page shows this part already; the rest of the place waits with the link.
  store.setState({ screen: screenOf(link) });
  const state = store.getState();
  const isHere = sameSpec(link.spec, state.draft.spec);
  if (isHere && expectationOf(link) === null)
    store.setState({ warnings: [...link.warnings, ...goTo(store, link)], waitingLink: null });
  else if (hasEdits(state.draft) || isBusy(state)) store.setState({ waitingLink: link });
  else openLink(store, link);
}

/** The notebook defines the experiment; its address leads to a place, and may include expected results. */
function receivePlace(store: ExperimentStore, hash: string): void {
  const { draft } = store.getState();
  const place = decodePlace(hash, draft.spec);
  store.setState({ screen: screenOf(place) });
  const expected = hasEdits(draft) ? null : expectationOf({ ...place, spec: draft.spec });
  const warnings = [...place.warnings, ...goTo(store, place)];
  store.setState({ warnings, ...(expected && { expected }) });
}

type LinkedPlace = Omit<DecodedLink, "spec">;

const screenOf = ({ view }: LinkedPlace): Screen => (view === "lens" ? "lens" : "notebook");

/**
 * Goes to a link's place; an address without one is the notebook, and leaves the lens unchanged.
 * Returns a sentence for each part of it that does not exist.
 */
function goTo(store: ExperimentStore, link: LinkedPlace): string[] {
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

/** Opens a link's experiment and its place, replacing whatever is there. */
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

function expectationOf({ spec, ...link }: DecodedLink): ExperimentState["expected"] {
  const { fingerprint, trace, sender, curves } = link;
  if (fingerprint === null && trace === null && curves === null) return null;
  const known = Object.entries({ fingerprint, trace, sender, curves });
  return { spec, ...Object.fromEntries(known.filter(([, value]) => value !== null)) };
}

interface LinkOptions {
  /** Whether to include the run's curves. */
  curves?: boolean;
}

/**
 * The link of the form's experiment; with the fingerprint if a finished live run of exactly that
 * exists, and with its curves if requested.
 */
export function linkOf(state: ExperimentState, options: LinkOptions = {}): string {
  const place = placeOf({ ...state, choice: standing(state) });
  const promise = promiseOf(state, options);
  if (!promise) return openLinkOf({ ...state, home: null, choice: standing(state) });
  return encodeLink(promise.spec, { ...promise.numbers, ...place });
}

/** The expected results that a link can include: from a finished live run of exactly the form's experiment; else null. */
export function promiseOf(
  state: ExperimentState,
  { curves = false }: LinkOptions = {},
): { spec: ExperimentSpec; numbers: Expectation } | null {
  const { draft, view, fingerprint } = state;
  const { log } = view;
  const isExact = fingerprint !== null && isReproducible(log);
  if (!hasEnded(state) || !(isExact || curves)) return null;
  const numbers = {
    ...(isExact && { fingerprint, trace: traceOf(log) }),
    ...(log.start && { sender: senderOf(log.start) }),
    ...(curves && { curves: curvesTextOf(log) }),
  };
  return { spec: pinned(draft.spec, log), numbers };
}

/** Whether a live run of exactly the form's experiment has ended: then its results can be in its link. */
export function hasEnded({ draft, view, runSpec, fingerprint }: ExperimentState): boolean {
  const isOfForm = runSpec !== null && view.origin === "live" && sameSpec(runSpec, draft.spec);
  return isOfForm && (fingerprint !== null || view.log.end !== null);
}

/** The position of the lens's cursor, in full: a longer run, or another one, has another newest turn. */
function standing({ view, choice, screen }: ExperimentState): TurnChoice {
  const { algorithm, iteration, episodes, episode, turn, token } = resolveChoice(view.log, choice);
  if (screen !== "lens" || episodes.length === 0) return choice;
  return { ...choice, algorithm, iteration, episode, turn, token };
}

/** With the engine that ran: a fingerprint is not valid for another one. */
function pinned(spec: ExperimentSpec, log: RunLog): ExperimentSpec {
  return log.start ? { ...spec, engine: log.start.spec.engine } : spec;
}

/** The link for the address bar: what is open, its expected results, and the current view. */
export function openLinkOf(state: ExperimentState, screen: Screen = state.screen): string {
  const { draft, expected } = state;
  const place = placeOf({ ...state, screen });
  const promised = stillExpected(draft.spec, expected);
  if (state.home !== null) return encodePlace(state.home, { ...promised, ...place });
  return encodeLink(draft.spec, { ...promised, ...place });
}

type ShownPlace = Pick<ExperimentState, "screen" | "choice" | "lens" | "curves" | "view">;

/** Without the place of an imported run: no link leads to that run. */
function placeOf({ screen, choice, lens, curves, view }: ShownPlace): LinkPlace {
  const at = view.origin === "imported" ? "" : writeChoice(choice);
  const turn = at === "" ? {} : { at };
  if (screen !== "lens") return turn;
  const settings = inOrder(lens.table, { ...curveSettings(curves), ...lens.settings });
  return { view: screen, ...turn, ...writeArrangement(lens), settings };
}

function stillExpected(spec: ExperimentSpec, expected: ExperimentState["expected"]) {
  return expected && sameSpec(spec, expected.spec) ? expected : {};
}

type RunAndPromise = Pick<ExperimentState, "view" | "runSpec" | "expected" | "draft">;

/** How the live run compares with the expected results in its link. */
export function comparison({ view, runSpec, expected, draft }: RunAndPromise): FingerprintCheck {
  // Before the run: what Run will be compared with.
  const promised = expected !== null && sameSpec(draft.spec, expected.spec);
  if (runSpec === null && promised) return { state: "waiting", upTo: 0 };
  if (runSpec === null || expected === null || !isComparable(runSpec, expected))
    return { state: "not-compared" };
  if (view.origin !== "live") return { state: "waiting", upTo: 0 };
  if (!isReproducible(view.log) && expected.curves === undefined) return { state: "incomparable" };
  return compareFingerprint(view.log, expected);
}

/** Curves can be compared on any engine; a hash chain starts with all settings. */
function isComparable(spec: ExperimentSpec, expected: ExpectedRun): boolean {
  if (expected.curves === undefined) return sameSpec(spec, expected.spec);
  return settingsThatDiffer(spec, expected.spec).length === 0;
}

type ExpectedRun = NonNullable<ExperimentState["expected"]>;

/** How the run shown, or the form, differs from the link: settings, engine, device, version. */
export function whatDiffers({ view, runSpec, expected, draft }: RunAndPromise): Difference[] {
  if (!expected) return [];
  const start = view.origin === "live" ? view.log.start : null;
  return [
    ...settingsThatDiffer(runSpec ?? draft.spec, expected.spec),
    ...(start ? engineThatDiffers(start, expected) : []),
  ];
}
