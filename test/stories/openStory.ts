/** A story brought to life: an experiment that shows it, read as the page reads recordings and files. */
import type { ExperimentHandle } from "../../src/store/hooks.ts";
import { importFiles, importStore } from "../../src/store/imports.ts";
import { addTruths } from "../../src/store/truths.ts";
import verl from "../fixtures/import/12.jsonl?raw";
import { emptyExperiment, openLens, showText } from "./experimentOf.ts";
import { recordingOf, stories, truthsOf, type Story, type StoryName } from "./recordings.ts";

/** @throws Error where its recording cannot be read, which is a defect of the story. */
export async function openStory(name: StoryName): Promise<ExperimentHandle> {
  const story: Story = stories[name];
  const experiment = emptyExperiment(name);
  if (story.events) await showEvents(experiment, story);
  else await showFile(experiment);
  openLens(experiment, { at: story.at });
  return experiment;
}

async function showEvents(experiment: ExperimentHandle, story: Story): Promise<void> {
  const events = story.events!();
  if (events.length === 0) return;
  const warnings = await showText(experiment, recordingOf(events));
  if (warnings.length > 0) throw new Error(`The story cannot be read. ${warnings.join(" ")}`);
  if (story.truth) addTruths(experiment.store, truthsOf(events));
}

/** As if it had been dropped on the page. */
async function showFile(experiment: ExperimentHandle): Promise<void> {
  importFiles(experiment, [new File([verl], "12.jsonl")]);
  await new Promise<void>((resolve) => {
    importStore.subscribe(({ imported }) => imported && resolve());
  });
}
