/**
 * Runs are stored in the browser while they train, and found when their experiment is opened: after a reload of the same
 * tab a run continues by itself, else the reader is asked.
 */
import { readTexts, writeValue } from "../runtime/shelf/smallValue.ts";
import { rawOf } from "../reading/log/rawRun.ts";
import {
  browserRuns,
  type KeptRun,
  type RunRecords,
  type RunCurve,
  type RunCurves,
  type WholeRun,
} from "../runtime/shelf/keptRuns.ts";
import type { Place } from "../runtime/shelf/storage.ts";
import { claimRun } from "../runtime/shelf/claim.ts";
import type { ExperimentStore } from "../store/experimentState.ts";
import type { ExperimentHandle } from "../store/hooks.ts";
import { newId } from "../store/bookStore.ts";
import { readKept } from "../store/resumeRun.ts";
import { RunKeeper } from "../store/runKeeper.ts";
import { appWords } from "./strings.ts";
import { downsample } from "../numeric/downsample.ts";
import type { MetricSource, RunLog } from "../reading/log/runLog.ts";

const words = appWords.kept;

export const records: RunRecords = browserRuns();

/** Place and name of a run when it starts. */
interface KeptAs {
  place: () => string;
  name?: () => string | undefined;
}

/** For an experiment's cell: its runs move when it is renamed. */
export function createKeeper(store: ExperimentStore): RunKeeper {
  const place = () => store.getState().place ?? "";
  const keeper = keeperAt(store, { place });
  store.subscribe((now, before) => now.place !== before.place && keeper.move(place()));
  return keeper;
}

export function keeperAt(store: ExperimentStore, as: KeptAs): RunKeeper {
  let own: string | null = null;
  const flush = () => void keeper.flush();
  const keeper: RunKeeper = new RunKeeper({
    records,
    claim: claimRun,
    ...as,
    curves: (raw) => {
      const { log } = store.getState().view;
      // The reader may look at another run meanwhile.
      return rawOf(log) === raw ? smallCurves(log) : null;
    },
    onRun: (id) => {
      if (own !== null) mark(own, false);
      own = id;
      if (id !== null) mark(id, true);
    },
    onPlace: (why) => store.setState({ notKept: why }),
    onClose: () => window.removeEventListener("pagehide", flush),
  });
  window.addEventListener("pagehide", flush);
  return keeper;
}

/** Keeps a whole run as if it had been trained here. */
export async function keepWhole(
  known: Pick<KeptRun, "place" | "spec" | "state" | "iteration"> & Partial<KeptRun>,
  { lines, checkpoint }: Pick<WholeRun, "lines" | "checkpoint">,
): Promise<Place & { id: string }> {
  const now = new Date().toISOString();
  const id = newId();
  const run = {
    begun: now,
    changed: now,
    ...known,
    id,
    bytes: lines.reduce((sum, { bytes }) => sum + bytes.length, 0),
    checkpointBytes: checkpoint?.bytes.length ?? 0,
  };
  return { id, ...(await records.write({ run, lines, from: 0, checkpoint })) };
}

/** Kept runs that were copied for a notebook which is not open yet. */
const toShow = new Set<string>();

/** Its experiment shows it when opened, without training it further. */
export function showWhenOpened(id: string): void {
  toShow.add(id);
}

/** Looks for a stored run of the experiment, and continues or offers it. */
export async function findKept({ store, session }: ExperimentHandle): Promise<void> {
  const { place } = store.getState();
  const kept = (await records.list()).find((run) => run.place === place);
  if (!kept || store.getState().runSpec !== null) return;
  if (toShow.delete(kept.id) || (isReload() && isMarked(kept.id)))
    return resumeKept({ store, session }, kept, false);
  if (kept.state === "finished") return;
  // Unless another tab trains it already.
  const release = await claimRun(kept.id);
  release?.();
  if (release && store.getState().runSpec === null) store.setState({ resumable: kept });
}

/** Continues a run, or reports at the experiment why it cannot. `asked`: whether the reader has asked for it. */
export async function resumeKept(
  { store, session }: Pick<ExperimentHandle, "store" | "session">,
  { id }: KeptRun,
  asked = true,
): Promise<void> {
  store.setState({ resumable: null });
  try {
    const run = await readKept(id, records, claimAfterReload);
    if (run) session.resume(run);
    else if (asked) sayElsewhere(store);
  } catch (error) {
    const message = words.damaged((error as Error).message);
    store.setState({ problem: { kind: "input", message, action: words.anew } });
  }
}

export async function discardKept(store: ExperimentStore, { id }: KeptRun): Promise<void> {
  store.setState({ resumable: null });
  if (!(await dropKept(id))) sayElsewhere(store);
}

/** Deletes a stored run; false if a tab of this browser has it. */
export async function dropKept(id: string): Promise<boolean> {
  const release = await claimRun(id);
  if (!release) return false;
  try {
    await records.drop(id);
  } finally {
    release();
  }
  return true;
}

function sayElsewhere(store: ExperimentStore): void {
  const { elsewhere: message, anew: action } = words;
  store.setState({ problem: { kind: "input", message, action } });
}

/** Milliseconds within which the page before a reload releases its claims. */
const ENDING = 5000;

/** Claims a stored run for this tab, even if the page before a reload is still closing. */
export function claimAfterReload(id: string): ReturnType<typeof claimRun> {
  return claimRun(id, reloadWait());
}

/** Milliseconds to wait for the page before this one. */
export function reloadWait(): number {
  return isReload() ? ENDING : 0;
}

export function isReload(): boolean {
  const [entry] = performance.getEntriesByType?.("navigation") ?? [];
  return (entry as PerformanceNavigationTiming | undefined)?.type === "reload";
}

/** Ids of this tab's runs: they survive a reload, and no other tab sees them. */
const MARK = "turnbook-runs";

const marked = () => readTexts("tab", MARK);

const isMarked = (id: string) => marked().includes(id);

function mark(id: string, isOurs: boolean): void {
  const others = marked().filter((one) => one !== id);
  writeValue("tab", MARK, isOurs ? [...others, id] : others);
}

/** Maximum points of a line. */
const MOST_POINTS = 40;

/** Success on held-out levels if measured at least twice, else the mean reward; null if that is missing too. */
export function smallCurves(log: RunLog): RunCurves | null {
  const success = log.metrics("heldout").find((name) => /^val-env\/[^/]+\/success$/.test(name));
  const heldout = success === undefined ? [] : linesOf(log, success, "heldout");
  if (heldout.length > 0) return { measure: "heldout", lines: heldout };
  const reward = linesOf(log, "critic/score/mean", "train");
  return reward.length > 0 ? { measure: "reward", lines: reward } : null;
}

function linesOf(log: RunLog, metric: string, source: MetricSource): RunCurve[] {
  return log.algorithms.flatMap((method) => {
    const series = log.series(method, metric, source);
    if (series.x.length < 2) return [];
    const points = downsample(series.x, series.y, MOST_POINTS);
    return [{ method, x: points.map(({ x }) => x), y: points.map(({ y }) => y) }];
  });
}
