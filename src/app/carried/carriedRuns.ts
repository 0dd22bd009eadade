/** Runs embedded in a page: a folder for each experiment, with the files of a recording, or with the run's lines. */
import { MANIFEST } from "../../interchange/columnar/manifest.ts";

/** The run's lines, one event each; stored compressed. */
export const LINES = "events.jsonl";

/** @param id the experiment cell's */
export function carriedRunFolder(id: string): string {
  return `runs/cell-${id}/`;
}

/** The embedded run of an experiment; null if there is none, and in a page from a server. */
export function carriedRun(id: string): string | null {
  const files = globalThis.turnbookCarried?.files ?? {};
  const folder = carriedRunFolder(id);
  if (Object.hasOwn(files, folder + MANIFEST)) return folder + MANIFEST;
  return Object.hasOwn(files, `${folder}${LINES}.gz`) ? folder + LINES : null;
}
