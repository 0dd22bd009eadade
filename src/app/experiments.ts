/** A notebook's experiments brought to life: a store and a session for each experiment cell. */
import { isManifest } from "../interchange/columnar/manifest.ts";
import { inLines } from "../notebook/document.ts";
import { readExperiment } from "../notebook/cells/experiment/experiment.ts";
import type { Definition } from "../spec/definitions.ts";
import { manifests } from "../panels/manifests.ts";
import { connectWorker, savePower, type Connect } from "../runtime/client.ts";
import { predictEngine } from "../runtime/outlook.ts";
import { checkIntegrity } from "../store/checkIntegrity.ts";
import { readColumnar } from "../reading/log/columnar.ts";
import type { ExperimentStore } from "../store/experimentState.ts";
import { createExperimentStore } from "../store/experimentStore.ts";
import { preferences } from "../store/preferences.ts";
import type { ExperimentHandle } from "../store/hooks.ts";
import { readRecording } from "../reading/log/recording.ts";
import { MAX_BYTES } from "../reading/log/recordingIndex.ts";
import { readSeeds } from "../store/seeds.ts";
import { carriedRun } from "./carried/carriedRuns.ts";
import { createKeeper, findKept, showWhenOpened } from "./keptRuns.ts";
import { hasEdits } from "../store/specDraft.ts";
import { register, opened, skip, runQueue } from "../store/runQueue.ts";
import { SAVED_NAME } from "../store/savedLimits.ts";
import { createSession } from "../store/session.ts";
import type { Session } from "../store/sessionApi.ts";
import { startImport } from "../store/startImport.ts";

/** Experiments by cell id, in the notebook's order. */
export type Experiments = ReadonlyMap<string, ExperimentHandle>;

/** Two runs at once would share one machine: one that begins out of its turn, as by a step, pauses the others. */
export function pauseOthers(own: ExperimentStore): void {
  for (const { store, session } of opened)
    if (store !== own && store.getState().state === "running") session.toggleRun();
}

interface ExperimentOptions {
  /** See experimentState.ts. */
  home?: string | null;
  place?: string | null;
  /** Of the notebook's code cells. */
  definitions?: readonly Definition[];
  /** A saved run's file: shown in place of the recording that the body names. */
  run?: Uint8Array | undefined;
  connect?: Connect;
}

export interface OwnedExperiment extends ExperimentHandle {
  /** Whether nothing would be lost if it were closed: what it has comes again when its notebook is opened. */
  isAtRest(): boolean;
  close(): void;
}

/** @param body the cell's, see notebook/cells/experiment/experiment.ts. */
export function createExperiment(
  id: string,
  body: string,
  {
    home = null,
    place = null,
    definitions = [],
    run,
    connect = connectWorker,
  }: ExperimentOptions = {},
): OwnedExperiment {
  const { spec, recording, seeds, remarks } = readExperiment(body, definitions);
  const store = createExperimentStore(spec, inLines(remarks), manifests);
  store.setState({ home, place });
  const keeper = place === null ? null : createKeeper(store);
  const session = createSession(store, {
    connect,
    onBegin: () => pauseOthers(store),
    onRefused: () => skip(store),
    ...(keeper && { keeper }),
  });
  const close = () => {
    // What has finished is shown again, though it is not offered.
    if (keeper?.id !== undefined && store.getState().state === "finished")
      showWhenOpened(keeper.id);
    leave();
    session.close();
    store.close();
  };
  const isAtRest = () => {
    const now = store.getState();
    const isWaiting = runQueue.getState().waiting.some((one) => one.store === store);
    // A file that was brought along is nowhere else.
    const comesAgain = run === undefined && now.view.origin !== "imported";
    const isStill = now.state === "idle" || (now.state === "finished" && keeper?.isKept === true);
    return isStill && comesAgain && !isWaiting && hasNothingOwn(now);
  };
  const experiment = { id, store, session, close, isAtRest };
  const leave = register(experiment);
  if (place !== null) void findKept(experiment);
  savePower(preferences.getState().lowPower);
  void predictEngine().then((outlook) => store.setState({ outlook }));
  if (run) {
    showSaved(id, run, store, session);
    return experiment;
  }
  const carried = carriedRun(id);
  const path = carried ?? recording;
  const shown = path === null ? null : loadRecording(path, store, session);
  // Bands load after the run, which does not wait for them.
  if (seeds !== null && carried === null)
    void Promise.resolve(shown).then(() => loadSeeds(seeds, store));
  return experiment;
}

/** Whether there are no edits, forks or open questions, which only this page has. */
function hasNothingOwn({
  draft,
  forks,
  stopping,
  leaving,
  waitingLink,
}: ReturnType<ExperimentStore["getState"]>): boolean {
  return (
    !hasEdits(draft) && forks.length === 0 && !stopping && leaving === null && waitingLink === null
  );
}

/** Reads a saved run as an import of it would be, with its checks, and shows it as the experiment's recorded run. */
function showSaved(id: string, run: Uint8Array, store: ExperimentStore, session: Session): void {
  store.setState({ recording: { state: "loading" } });
  const file = new File([run as Uint8Array<ArrayBuffer>], `${id}${SAVED_NAME}`);
  startImport([file], {
    onRead: (log) => {
      const shown = { state: "shown", command: "", warnings: [], integrity: null } as const;
      store.setState({ recording: { ...shown, warnings: [] } });
      session.showRecording(log);
    },
    onChecked: (_log, { warnings, integrity }) => {
      const shown = { state: "shown", command: "", integrity } as const;
      store.setState({ recording: { ...shown, warnings: [...warnings] } });
    },
    onRefused: ({ why }) => store.setState({ recording: { state: "refused", why } }),
  });
}

/** Shows a recorded run; a missing one is not an error. */
async function loadRecording(
  path: string,
  store: ExperimentStore,
  session: Session,
): Promise<void> {
  store.setState({ recording: { state: "loading" } });
  const bytes = await fetchBytes(path).catch(() => null);
  if (bytes === null) return store.setState({ recording: { state: "missing" } });
  const start = new TextDecoder().decode(bytes.subarray(0, MANIFEST_START));
  if (isManifest(start)) await showColumnar(path, bytes, store, session);
  else await showLines(bytes, store, session);
}

/** Enough of a file to recognise a manifest. */
const MANIFEST_START = 100;

/** Its curves; the rest comes when a panel asks for it. */
async function showColumnar(
  path: string,
  manifest: Uint8Array,
  store: ExperimentStore,
  session: Session,
): Promise<void> {
  const beside = path.slice(0, path.lastIndexOf("/") + 1);
  try {
    const fetchPart = (name: string) => fetchBytes(beside + name);
    const { log, source } = await readColumnar(new TextDecoder().decode(manifest), fetchPart);
    const report = () => {
      const integrity = { state: "file", ...source.check } as const;
      const shown = { state: "shown", command: source.command, integrity } as const;
      store.setState({ recording: { ...shown, warnings: [] } });
    };
    source.onChange = report;
    report();
    session.showRecording(log);
  } catch (error) {
    store.setState({ recording: { state: "refused", why: (error as Error).message } });
  }
}

/** Recorded seeds, drawn as bands; none if the file is missing. */
async function loadSeeds(path: string, store: ExperimentStore): Promise<void> {
  const text = await fetchText(path).catch(() => null);
  if (text === null) return;
  try {
    store.setState(await readSeeds(text));
  } catch (error) {
    const why = `The recorded seeds are not shown: ${(error as Error).message}.`;
    store.setState(({ warnings }) => ({ warnings: [...warnings, why] }));
  }
}

async function showLines(
  bytes: Uint8Array,
  store: ExperimentStore,
  session: Session,
): Promise<void> {
  const read = await readRecording(bytes);
  if (!read) return store.setState({ recording: { state: "missing" } });
  const { command, warnings, log } = read;
  const shown = { state: "shown", command, warnings } as const;
  store.setState({ recording: { ...shown, integrity: null } });
  session.showRecording(log);
  // Opening comes first: the check takes a core of its own for a while.
  await new Promise((resolve) => setTimeout(resolve, CHECK_AFTER));
  const integrity = await checkIntegrity(bytes);
  store.setState({ recording: { ...shown, integrity } });
}

/** Milliseconds from when a recorded run is shown. */
const CHECK_AFTER = 1500;

/** A file beside the page, wherever the page is served from. */
export async function fetchText(path: string): Promise<string> {
  return (await fetchServed(path)).text();
}

/** Chunk by chunk: putting a hundred megabytes together at once would hold up the page. */
async function fetchBytes(path: string): Promise<Uint8Array> {
  const reader = (await fetchServed(path)).body!.getReader();
  let bytes = new Uint8Array(FIRST_ROOM);
  let length = 0;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    if (length + chunk.value.length > MAX_BYTES) throw new Error(`${path} is too large.`);
    bytes = withRoom(bytes, length + chunk.value.length);
    bytes.set(chunk.value, length);
    length += chunk.value.length;
  }
  return bytes.subarray(0, length);
}

/** Bytes at first: a recording has many small parts, and each keeps its room. */
const FIRST_ROOM = 1 << 16;

function withRoom(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  if (length <= bytes.length) return bytes;
  const larger = new Uint8Array(Math.max(length, Math.min(2 * bytes.length, MAX_BYTES)));
  larger.set(bytes);
  return larger;
}

/** @throws Error naming the file and the server's answer */
export async function fetchServed(
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const answer = await fetch(new URL(path, document.baseURI), { headers });
  if (!answer.ok) throw new Error(`${path}: the server answered ${answer.status}`);
  return answer;
}
