/** What the list of notebooks shows: notebooks, kept runs and what happens to them, and how full the storage is. */
import { useEffect, useState } from "react";
import { notebookOf, usedRuns } from "../../runtime/shelf/claim.ts";
import type { KeptRun } from "../../runtime/shelf/keptRuns.ts";
import type { KeptNotebook } from "../../runtime/shelf/notebooks.ts";
import { isPersistent } from "../../runtime/shelf/persist.ts";
import { storageUse, type StorageUse } from "../../runtime/shelf/quota.ts";
import { endOfRun, leavingRuns, sizeOfRun } from "../../runtime/shelf/sweepPlan.ts";
import { records } from "../keptRuns.ts";
import { shelf } from "./openBook.ts";

/** What happens to a kept run: a page shows it, the next run replaces it, or it stays until a time. */
export type Fate = { kind: "used" | "next" } | { kind: "until"; time: number };

export interface ListedRun {
  run: KeptRun;
  /** Title of its notebook; null if it belongs to none of the reader's own. */
  notebook: string | null;
  fate: Fate;
}

export interface ListedNotebook {
  notebook: KeptNotebook;
  /** Newest first. */
  runs: readonly KeptRun[];
  /** Why it is in memory only; null: it is kept. */
  inMemory: string | null;
}

interface GalleryState {
  /** Not deleted, newest first. */
  notebooks: readonly ListedNotebook[];
  /** Newest first. */
  runs: readonly ListedRun[];
  use: StorageUse | null;
  /** Whether the browser promises to keep it all. */
  isSafe: boolean;
}

/** Null until the browser has answered. */
export function useGallery(): [GalleryState | null, refresh: () => Promise<void>] {
  const [state, setState] = useState<GalleryState | null>(null);
  const refresh = async () => setState(await galleryNow());
  useEffect(() => {
    let current = true;
    void galleryNow().then((now) => current && setState(now));
    return () => void (current = false);
  }, []);
  return [state, refresh];
}

async function galleryNow(): Promise<GalleryState> {
  const [notebooks, runs, use, isSafe] = await Promise.all([
    shelf.list(),
    records.list(),
    storageUse(),
    isPersistent(),
  ]);
  const used = await usedRuns(runs);
  const listed = (notebook: KeptNotebook): ListedNotebook => {
    const place = shelf.placeOf(notebook.id);
    const own = runs.filter((run) => notebookOf(run.place) === notebook.id);
    return { notebook, runs: own, inMemory: place.kept ? null : place.why };
  };
  return {
    notebooks: notebooks.filter(({ deleted }) => deleted === undefined).map(listed),
    runs: withFates(runs, used, new Map(notebooks.map(({ id, title }) => [id, title]))),
    use,
    isSafe,
  };
}

function withFates(
  runs: readonly KeptRun[],
  used: ReadonlySet<string>,
  titles: ReadonlyMap<string, string>,
): ListedRun[] {
  const isUsed = ({ id }: KeptRun) => used.has(id);
  const next = leavingRuns(runs, { isUsed, now: Date.now(), more: 1 });
  const leaving = new Set(next.map(({ run }) => run));
  return runs.map((run) => {
    const notebook = titles.get(notebookOf(run.place) ?? "") ?? null;
    if (isUsed(run)) return { run, notebook, fate: { kind: "used" } };
    if (leaving.has(run)) return { run, notebook, fate: { kind: "next" } };
    return { run, notebook, fate: { kind: "until", time: endOfRun(run) } };
  });
}

/** Total bytes. */
export function sizeOfRuns(runs: readonly KeptRun[]): number {
  return runs.reduce((sum, run) => sum + sizeOfRun(run), 0);
}
