/** A story brought to life: an experiment that shows it, read as the page reads recordings and files. */
import { manifests } from "../../src/panels/manifests.ts";
import { connectWorker } from "../../src/runtime/client.ts";
import { createExperimentStore } from "../../src/store/experimentStore.ts";
import type { Experiment } from "../../src/store/hooks.ts";
import { importFiles, importStore } from "../../src/store/imports.ts";
import { setLens, withPanel } from "../../src/store/lens.ts";
import { readRecording } from "../../src/reading/log/recording.ts";
import { createSession } from "../../src/store/session.ts";
import { addTruths } from "../../src/store/truths.ts";
import { readChoice } from "../../src/store/turnChoice.ts";
import { shortRun } from "../fixtures/shortRun.ts";
import verl from "../fixtures/import/12.jsonl?raw";
import { recordingOf, stories, truthsOf, type Story, type StoryName } from "./recordings.ts";

/** @throws Error where its recording cannot be read, which is a defect of the story. */
export async function openStory(name: StoryName): Promise<Experiment> {
  const story: Story = stories[name];
  const store = createExperimentStore(shortRun(), [], manifests);
  const experiment = { id: name, store, session: createSession(store, { connect: connectWorker }) };
  if (story.events) await showRecording(experiment, story);
  else await showFile(experiment);
  const choice = readChoice(story.at);
  store.setState({ screen: "lens", ...(choice && { choice }) });
  setLens(store, (lens) => manifests.reduce((all, { id }) => withPanel(all, id, true), lens));
  return experiment;
}

async function showRecording({ store, session }: Experiment, story: Story): Promise<void> {
  const events = story.events!();
  if (events.length === 0) return;
  const read = await readRecording(recordingOf(events));
  if (!read || read.warnings.length > 0)
    throw new Error(`The story cannot be read. ${read?.warnings.join(" ") ?? ""}`);
  const { command, warnings, log } = read;
  store.setState({ recording: { state: "shown", command, warnings, integrity: null } });
  session.showRecording(log);
  if (story.truth) addTruths(store, truthsOf(events));
}

/** As if it had been dropped on the page. */
async function showFile(experiment: Experiment): Promise<void> {
  importFiles(experiment, [new File([verl], "12.jsonl")]);
  await new Promise<void>((resolve) => {
    importStore.subscribe(({ imported }) => imported && resolve());
  });
}
