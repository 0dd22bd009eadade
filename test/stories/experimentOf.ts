/** An experiment that shows a recording, without a page around it. */
import { manifests, type PanelId } from "../../src/panels/manifests.ts";
import { readRecording } from "../../src/reading/log/recording.ts";
import { connectWorker } from "../../src/runtime/client.ts";
import { createExperimentStore } from "../../src/store/experimentStore.ts";
import type { ExperimentHandle } from "../../src/store/hooks.ts";
import { setLens, withPanel } from "../../src/store/lens.ts";
import { createSession } from "../../src/store/session.ts";
import { readChoice } from "../../src/store/turnChoice.ts";
import { shortRun } from "../fixtures/shortRun.ts";

interface Shown {
  /** Of the cursor, as in a link: algorithm, iteration, episode, turn. */
  at?: string;
  /** Which are open. */
  panels?: readonly PanelId[];
}

/** With no run yet. */
export function emptyExperiment(id: string, spec = shortRun()): ExperimentHandle {
  const store = createExperimentStore(spec, [], manifests);
  return { id, store, session: createSession(store, { connect: connectWorker }) };
}

/** Shows a recording's text as the page does; what could not be read of it. @throws Error where nothing can */
export async function showText(
  { store, session }: ExperimentHandle,
  text: string,
): Promise<string[]> {
  const read = await readRecording(text);
  if (!read) throw new Error("This text is not a recording.");
  const { command, warnings, log } = read;
  store.setState({ recording: { state: "shown", command, warnings, integrity: null } });
  session.showRecording(log);
  return warnings;
}

export function openLens({ store }: ExperimentHandle, { at, panels }: Shown): void {
  const choice = at === undefined ? null : readChoice(at);
  store.setState({ screen: "lens", ...(choice && { choice }) });
  const ids = panels ?? manifests.map(({ id }) => id);
  setLens(store, (lens) => ids.reduce((all, id) => withPanel(all, id, true), lens));
}
