/**
 * After the first paint, fetches everything that the page may need later, one file after another
 * while the page is idle: what is on screen then survives the loss of the connection, and a new
 * version on the server.
 */
import { keepOffline } from "./offline/keepOffline.ts";
import { absolute, fetchFile, pageFiles } from "../ui/parts/partFiles.ts";
import { parts } from "../ui/parts/part.ts";
import { servedText } from "../ui/parts/served.ts";
import { checkpointFolder } from "../spec/checkpointFolder.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";

/** Milliseconds after which failed files are retried; going online ends the wait. */
const AGAIN = 30_000;
/** Rounds after which loading is left to the part's own use. */
const ROUNDS = 20;

/** Number of consecutive checks, this many milliseconds apart, without pending work: nested parts load one at a time. */
const LOOKS = 5;
const BETWEEN = 100;

export const PRELOADED = "turnbook-preloaded";

type Fetching = () => Promise<unknown>;

/** Resolves to whether it was loaded. */
type PreloadTask = () => Promise<boolean>;

/**
 * Only once per page; does nothing if the reader saves data. `specs`: what Run would start.
 * `waits`: whether the reader is waiting for something, which has priority. `recorded`: what
 * recorded runs have not loaded yet.
 */
export async function preload(
  specs: readonly ExperimentSpec[],
  waits: () => boolean,
  recorded: () => readonly Fetching[],
): Promise<void> {
  if (savesData()) return;
  await loaded();
  for (let round = 0; round < ROUNDS; round++) {
    if (await fetchAll(specs, waits, recorded)) {
      // Visible in the browser's tools, and to tests.
      performance.mark(PRELOADED);
      void keepOffline();
      return;
    }
    await backOnline(AGAIN);
  }
}

/** Fonts belong to style sheets of parts, and parts may register more: so the list is built during the walk. */
async function fetchAll(
  specs: readonly ExperimentSpec[],
  waits: () => boolean,
  recorded: () => readonly Fetching[],
): Promise<boolean> {
  let complete = true;
  for (const task of tasks(specs, recorded)) {
    do await idle();
    while (waits());
    complete = (await task()) && complete;
  }
  return complete;
}

function* tasks(
  specs: readonly ExperimentSpec[],
  recorded: () => readonly Fetching[],
): Generator<PreloadTask> {
  for (const part of parts) yield part.warm;
  // Firefox treats an optional font that arrived late as failed; whether its file arrived is
  // checked below.
  for (const face of document.fonts) yield () => arrives(face.load()).then(() => true);
  for (const fetching of recorded()) yield () => arrives(fetching());
  const list = pageFiles();
  if (!list) return;
  const folders = new Set(specs.map((spec) => `${checkpointFolder(spec)}/`));
  const models = list.models.filter((file) =>
    folders.has(file.slice(0, file.lastIndexOf("/") + 1)),
  );
  for (const figure of list.figures) yield () => arrives(servedText(figure));
  const later = list.later.map((place) => list.files[place]!);
  for (const file of [...later, ...models]) yield () => once(absolute(file));
}

const fetched = new Set<string>();

async function once(url: string): Promise<boolean> {
  if (fetched.has(url)) return true;
  const came = await arrives(fetchFile(url, { priority: "low" }));
  if (came) fetched.add(url);
  return came;
}

const arrives = (promise: Promise<unknown>): Promise<boolean> =>
  promise.then(
    () => true,
    () => false,
  );

function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

function loaded(): Promise<void> {
  if (document.readyState === "complete") return Promise.resolve();
  return new Promise((resolve) => addEventListener("load", () => resolve(), { once: true }));
}

/** Resolves once nothing is pending any more. */
export async function settled(waits: () => boolean): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks = waits() ? 0 : looks + 1)
    await new Promise((resolve) => setTimeout(resolve, BETWEEN));
}

/** Safari lacks requestIdleCallback. */
function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve());
    else setTimeout(resolve, 100);
  });
}

function backOnline(atLatest: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, atLatest);
    addEventListener("online", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
