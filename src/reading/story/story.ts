/**
 * The story of a run: for each method what it did, since when, the likeliest causes with what
 * speaks for and against each, what is not measured, and the experiment that would tell. Computed
 * on reading, never an event of the run.
 */
import { nearestIndex } from "../../numeric/downsample.ts";
import { append, greatest, least } from "../../numeric/lists.ts";
import { runWhole, type Sliced } from "../../numeric/sliced.ts";
import { canDivide } from "../../spec/algorithms.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { groupedMethods } from "../groupedMethods.ts";
import { runConfig } from "../runConfig.ts";
import { titleOf } from "../titles.ts";
import type { RunLog } from "../log/runLog.ts";
import { CAUSE_NAMES, type CauseName } from "./causeNames.ts";
import { CAUSES, type Cause, type CauseSign } from "./causeTable.ts";
import {
  apply,
  metricChange,
  holdsAt,
  lastUntil,
  type MetricChange,
  type Ruled,
  type StoryRule,
} from "./changes.ts";
import { shownBy } from "./evidence.ts";
import { proposalFor, type OneChange } from "./proposal.ts";
import { Tracks, type Track } from "./tracks.ts";
import { judge, type StoryJudgement, type StoryVerdict } from "./verdict.ts";
import { changeWords, valueWords, verdictWords } from "./words.ts";

interface EvidenceStep {
  /** In one sentence, with its numbers. */
  says: string;
  metric: string;
  /** Values before the change and at it; the iterations are in the sentence. */
  from: number;
  to: number;
  /** Method, iteration, episode and turn, as in a link's `at`; null if nothing recorded shows it. */
  at: string | null;
}

export interface FoundCause {
  cause: CauseName;
  title: string;
  says: string;
  onset: number;
  /** The last iteration as at the beginning, and the first beyond the limit. */
  between: [number, number];
  /** From 0 to 1. */
  weight: number;
  because: EvidenceStep[];
  against: EvidenceStep[];
  test: { set: OneChange } | null;
}

type NotedCause = Pick<FoundCause, "cause" | "onset" | "between" | "because">;

export interface Story {
  algorithm: string;
  verdict: StoryVerdict;
  /** At most two sentences. */
  says: string;
  /** The newest value of what it was judged by. */
  last: { metric: string; iteration: number; value: number } | null;
  /** When the likeliest cause set in; without one, when the score's level changed; null: never. */
  onset: number | null;
  between: [number, number] | null;
  /** The likeliest first. */
  causes: FoundCause[];
  /** Signs of a cause without a fall of the score: training that goes well shows them, too. */
  noted: NotedCause[];
  notMeasured: { cause: CauseName; needs: string[]; measuredBy: string }[];
}

/** A cause below this weight is not named. */
const LEAST_WEIGHT = 0.37;
/** Factor of a sign that no longer holds at the end. */
const PASSED = 0.7;
/** Factor of a cause that set in after the fall, or well after another. */
const LATE = 0.5;
/** Share of the greatest weight from which a cause may explain others. */
const STRONG = 0.8;
const FALLS: readonly StoryVerdict[] = ["fell", "fell-back", "lost-format"];
/** Iterations by which an onset may be off: signs have windows. */
const OFF = 2;
/** Factors where the score has shown no harm; signs below this weight do not count there. */
const HARMLESS = { learned: 0.35, healthy: 0.5, weight: 0.7 };

/** For each method of the run, in its order. */
export const storiesOf = (log: RunLog): Story[] => runWhole(tellStories(log));

/** The same, method by method. */
export function* tellStories(log: RunLog): Sliced<Story[]> {
  const all: { tracks: Tracks; judged: StoryJudgement }[] = [];
  for (const algorithm of log.algorithms) {
    const tracks = new Tracks(log, algorithm);
    all.push({ tracks, judged: judge(tracks) });
    yield;
  }
  const learned = all.filter(({ judged }) => judged.verdict === "learned");
  const titles = learned.map(({ tracks }) => titleOf(tracks.algorithm));
  const stories: Story[] = [];
  for (const { tracks, judged } of all) {
    stories.push(storyOf(tracks, judged, titles));
    yield;
  }
  return stories;
}

function storyOf(tracks: Tracks, judged: StoryJudgement, learned: readonly string[]): Story {
  const { log, algorithm } = tracks;
  const apply = CAUSE_NAMES.filter((name) => applies(log, algorithm, CAUSES[name]));
  const isEarly = judged.verdict === "too-early";
  const found = isEarly ? [] : apply.flatMap((name) => causeOf(tracks, judged, name) ?? []);
  const causes = ranked(found, log.iterations(algorithm).length);
  const noted = isEarly
    ? []
    : apply
        .filter((name) => !causes.some(({ cause }) => cause === name))
        .flatMap((name) => notedOf(tracks, judged, name));
  const likeliest = causes[0] ?? null;
  const { change } = judged;
  // Something is wrong, though the score has not shown it yet.
  const verdict = judged.verdict === "healthy" && likeliest ? "stalled" : judged.verdict;
  const [onset, between] = likeliest
    ? [likeliest.onset, likeliest.between]
    : change
      ? [change.at, [change.from, change.to] as [number, number]]
      : [null, null];
  const says = verdictWords(
    { ...judged, verdict },
    onset,
    learned.filter((title) => title !== titleOf(algorithm)),
  );
  const notMeasured = apply
    .filter((name) => !CAUSES[name].signs.some((sign) => isMeasured(tracks, sign)))
    .map((cause) => ({
      cause,
      needs: needsOf(CAUSES[cause]),
      measuredBy: CAUSES[cause].measuredBy,
    }));
  const { metric, x, y } = judged.score?.track ?? { metric: "", x: [], y: [] };
  const last = y.length > 0 ? { metric, iteration: x.at(-1)!, value: y.at(-1)! } : null;
  return { algorithm, verdict, says, last, onset, between, causes, noted, notMeasured };
}

/** Unknown settings rule nothing out that the log has numbers for. */
function applies(log: RunLog, algorithm: string, { about }: Cause): boolean {
  const config = runConfig(log.start?.spec, algorithm);
  if (about === undefined || config === null) return true;
  if (about === "critic") return config.critic !== "none";
  if (about === "repeated") return repeatsTasks(log.start!.spec);
  if (!groupedMethods(log).includes(algorithm)) return false;
  return about === "groups" || (canDivide(config) && config.std !== "none");
}

/** Whether a training task may come again. */
const repeatsTasks = ({ environment }: ExperimentSpec) =>
  !("trainLevels" in environment) || environment.trainLevels !== 0;

const isMeasured = (tracks: Tracks, { rules }: CauseSign) =>
  rules.every(({ metric }) => tracks.of(metric) !== null);

const needsOf = ({ signs }: Cause) => [
  ...new Set(signs.flatMap(({ rules }) => rules.map(({ metric }) => metric))),
];

interface FoundSign {
  /** One for each rule. */
  changes: MetricChange[];
  /** The last of them: until then not all rules held. */
  change: MetricChange;
  /** The iteration at which all had held as long as they must. */
  seen: number;
  /** From 0 to 1. */
  strength: number;
  family: string;
}

/** A sign whose rules all hold at some iteration; null without one. */
function signOf(tracks: Tracks, sign: CauseSign): FoundSign | null {
  const { rules, unless = [], after = [], weight, once = false } = sign;
  const all = rules.flatMap((rule) => ruled(tracks, rule) ?? []);
  const [first] = all;
  if (!first || all.length < rules.length) return null;
  const stops = unless.flatMap((rule) => ruled(tracks, rule) ?? []);
  const earlier = after.map((rule) => firstHeld(ruled(tracks, rule)));
  const holds = first.track.x.map(
    (x, i) =>
      first.held[i]! &&
      all.every((one) => holdsAt(one, x)) &&
      !stops.some((one) => holdsAt(one, x)) &&
      earlier.every((from) => from <= x),
  );
  const at = holds.indexOf(true);
  if (at < 0) return null;
  const rest = holds.slice(at);
  const lasting = once ? 1 : rest.filter(Boolean).length / rest.length;
  const passed = once || rest.at(-1) ? 1 : PASSED;
  const iteration = first.track.x[at]!;
  const changes = rules.map((rule, i) =>
    metricChange(rule, all[i]!, lastUntil(all[i]!, iteration)),
  );
  const change = changes.reduce((a, b) => (b.onset > a.onset ? b : a));
  const { family = changes[0]!.metric } = sign;
  return {
    changes,
    change,
    seen: iteration,
    family,
    strength: weight * passed * (0.2 + 0.8 * lasting),
  };
}

function ruled(tracks: Tracks, rule: StoryRule): Ruled | null {
  const track = tracks.of(rule.metric);
  return track && apply(rule, track);
}

/** Infinity if it never holds. */
function firstHeld(one: Ruled | null): number {
  const at = one?.held.indexOf(true) ?? -1;
  return at < 0 ? Infinity : one!.track.x[at]!;
}

/** Signs that only count where the score fell, where it did not; where it rose, all that would be sure. */
function notedOf(tracks: Tracks, { verdict }: StoryJudgement, name: CauseName): NotedCause[] {
  if (FALLS.includes(verdict)) return [];
  const isSure = (weight: number) => verdict === "learned" && weight >= HARMLESS.weight;
  const mild = CAUSES[name].signs.filter((sign) => sign.mild || isSure(sign.weight));
  const [first] = strongest(mild.flatMap((sign) => signOf(tracks, sign) ?? []));
  if (!first || first.strength < LEAST_WEIGHT) return [];
  const { onset, before, since } = first.change;
  const because = evidenceOf(toldChanges(first), placeOf(tracks, CAUSES[name].shows, first.change));
  return [{ cause: name, onset, between: [before, since], because }];
}

function causeOf(tracks: Tracks, judged: StoryJudgement, name: CauseName): FoundCause | null {
  const { signs, against, shows, title, says, isFall = false } = CAUSES[name];
  const { log, algorithm } = tracks;
  const { verdict } = judged;
  const harmless = verdict === "learned" || verdict === "healthy" ? HARMLESS[verdict] : null;
  const counting = signs.filter(
    ({ weight, mild = false }) =>
      (FALLS.includes(verdict) || !mild) && (harmless === null || weight >= HARMLESS.weight),
  );
  const found = strongest(counting.flatMap((sign) => signOf(tracks, sign) ?? []));
  // A weak sign may have held from the start.
  const [first] = found;
  if (!first) return null;
  const hasHeld = (rule: StoryRule) => firstHeld(ruled(tracks, rule)) <= first.seen;
  const counter = against.flatMap(({ rule, factor, ever = false, unless }) => {
    const one = ruled(tracks, rule);
    const holds = ever ? hasHeld(rule) : one?.held.at(-1);
    return one && holds && !(unless && hasHeld(unless))
      ? [{ step: lastStep(one.track), factor }]
      : [];
  });
  const { onset, before, since } = first.change;
  const isLate =
    !isFall && FALLS.includes(verdict) && judged.change !== null && onset > judged.change.to;
  const signed = 1 - found.reduce((left, { strength }) => left * (1 - strength), 1);
  const factors = [
    ...counter.map(({ factor }) => factor),
    ...(isLate ? [LATE] : []),
    ...(harmless === null ? [] : [harmless]),
  ];
  const weight = factors.reduce((product, factor) => product * factor, signed);
  const place = placeOf(tracks, shows, first.change);
  return {
    cause: name,
    title,
    says,
    onset,
    between: [before, since],
    weight,
    because: evidenceOf(found.flatMap(toldChanges), place),
    against: [...counter.map(({ step }) => step), ...scoreAgainst(judged, onset)],
    test: proposalFor(log, algorithm, name),
  };
}

/** With what a recorded episode shows, after the first. */
const evidenceOf = (steps: readonly MetricChange[], place: ReturnType<typeof placeOf>) =>
  steps.map((change, i): EvidenceStep => {
    const { metric, from, to } = change;
    const seen = i === 0 && place ? ` ${place.says}.` : "";
    return { says: `${changeWords(change)}${seen}`, metric, from, to, at: place?.at ?? null };
  });

/** A rule that has always held is a condition, no change: it is named where nothing else changed. */
function toldChanges({ changes, change }: FoundSign): MetricChange[] {
  const moved = changes.filter(
    ({ from, to, metric }, i) =>
      from !== to && changes.findIndex((one) => one.metric === metric) === i,
  );
  return moved.length > 0 ? moved : [change];
}

/** The strongest of each family, of equals the first to begin, in order. */
function strongest(signs: readonly FoundSign[]): FoundSign[] {
  const sorted = signs.toSorted(
    (a, b) => b.strength - a.strength || a.change.onset - b.change.onset,
  );
  return sorted.filter(({ family }, i) => sorted.findIndex((one) => one.family === family) === i);
}

function lastStep({ metric, x, y }: Track): EvidenceStep {
  const [from, to] = [y[0]!, y.at(-1)!];
  const says = changeWords({ metric, before: x[0]!, from, since: x.at(-1)!, to });
  return { says, metric, from, to, at: null };
}

/** What the score says against a cause: it was low before the onset, or is clearly higher than at the start although the cause lasts. */
function scoreAgainst({ score, verdict }: StoryJudgement, onset: number): EvidenceStep[] {
  if (!score) return [];
  const { track, start, kind, high, noise } = score;
  const { metric, x, y } = track;
  const step = (i: number, why: string): EvidenceStep => ({
    says: `${kind} was ${valueWords(metric, y[i]!)} at iteration ${x[i]}, ${why}`,
    metric,
    from: start,
    to: y[i]!,
    at: null,
  });
  if (verdict === "learned") return [step(y.length - 1, "above its start all the same.")];
  const before = x.findLastIndex((iteration) => iteration > 0 && iteration < onset);
  const after = y.reduce(
    (best, value, i) => (x[i]! > onset && value > (y[best] ?? -Infinity) ? i : best),
    -1,
  );
  return [
    ...(before >= 0 && y[before]! < start ? [step(before, "before this set in.")] : []),
    ...(after >= 0 && y[after]! - start > noise && high.iteration > onset
      ? [step(after, "while it lasted.")]
      : []),
  ];
}

/** The recorded iteration nearest to the onset that shows the cause: an earlier one only where none has been recorded since. */
function placeOf(
  { log, algorithm }: Tracks,
  shows: Cause["shows"],
  { onset, before }: MetricChange,
) {
  const recorded = log.iterationsWithEpisodes(algorithm);
  const since = recorded.filter((iteration) => iteration >= before);
  const left = since.length > 0 ? since : [...recorded];
  const when = since.length > 0 ? "" : ", before this set in";
  const order: number[] = [];
  while (left.length > 0 && order.length < 3)
    append(order, left.splice(nearestIndex(left, onset), 1));
  for (const iteration of order) {
    const shown = shownBy(shows, log.peekEpisodes(algorithm, iteration) ?? []);
    if (!shown) continue;
    const at = [algorithm, iteration, shown.episode + 1, shown.turn + 1].join(",");
    return { at, says: `${shown.says} (iteration ${iteration}${when})` };
  }
  return null;
}

/** The likeliest first: what set in well after the first of the strong ones is more likely its result. */
function ranked(found: readonly FoundCause[], iterations: number): FoundCause[] {
  const strong = STRONG * greatest(found.map(({ weight }) => weight));
  const onset = least(found.filter(({ weight }) => weight >= strong).map((one) => one.onset));
  const slack = Math.max(3, iterations / 5);
  const late = (at: number) => 1 - LATE * Math.min(1, Math.max(0, at - onset - OFF) / slack);
  return found
    .map((cause) => ({ ...cause, weight: cause.weight * late(cause.onset) }))
    .filter(({ weight }) => weight >= LEAST_WEIGHT)
    .toSorted((a, b) => b.weight - a.weight || a.onset - b.onset);
}
