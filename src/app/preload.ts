/**
 * After the first paint, everything that the page may need later is fetched, one thing after another while nobody asks
 * for anything: what is on screen then outlives the connection, and a new version on the server.
 */
import { keepOffline } from "./offline/keepOffline.ts";
import { absolute, fetchFile, pageFiles } from "../ui/parts/partFiles.ts";
import { parts } from "../ui/parts/part.ts";
import { servedText } from "../ui/parts/served.ts";
import { checkpointFolder } from "../spec/checkpointFolder.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";

/** Milliseconds after which what did not come is tried again; being back on the network ends the wait. */
const AGAIN = 30_000;
/** Rounds after which it is left to who opens it. */
const ROUNDS = 20;

/** Looks, one after another and so many milliseconds apart, in which nothing was waited for: of parts in parts only one is on its way. */
const LOOKS = 5;
const BETWEEN = 100;

export const PRELOADED = "turnbook-preloaded";

type Fetching = () => Promise<unknown>;

/** Resolves to whether it came. */
type PreloadTask = () => Promise<boolean>;

/**
 * Only once for a page; nothing where its reader saves data. `specs`: what Run would start. `waits`: whether the reader waits for
 * something, which comes first. `recorded`: what recorded runs have not loaded yet.
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
      // Seen in the browser's tools, and by tests.
      performance.mark(PRELOADED);
      void keepOffline();
      return;
    }
    await backOnline(AGAIN);
  }
}

/** Fonts belong to style sheets of parts, and parts may bring further ones: so the list is made as it is walked. */
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
  // Firefox holds an optional font that came late to have failed for good; whether its file came is seen below.
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

/** Resolves once nothing is waited for any more. */
export async function settled(waits: () => boolean): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks = waits() ? 0 : looks + 1)
    await new Promise((resolve) => setTimeout(resolve, BETWEEN));
}

/** Safari has no requestIdleCallback. */
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
