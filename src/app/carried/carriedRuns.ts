/** Runs that a page carries: a folder for each experiment, with the files of a recording, or with the run's lines. */
import { MANIFEST } from "../../interchange/columnar/manifest.ts";

/** The run's lines, one event each; carried compressed. */
export const LINES = "events.jsonl";

/** @param id the experiment cell's */
export function carriedRunFolder(id: string): string {
  return `runs/cell-${id}/`;
}

/** The run that the page carries of an experiment; null where there is none, and in a page as a server has it. */
export function carriedRun(id: string): string | null {
  const files = globalThis.turnbookCarried?.files ?? {};
  const folder = carriedRunFolder(id);
  if (Object.hasOwn(files, folder + MANIFEST)) return folder + MANIFEST;
  return Object.hasOwn(files, `${folder}${LINES}.gz`) ? folder + LINES : null;
}
