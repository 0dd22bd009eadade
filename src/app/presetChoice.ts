/** Choosing a preset replaces the form: if that would lose changes, the reader is asked first. */
import { createStore } from "zustand/vanilla";
import { canonicalJson } from "../spec/canonical.ts";
import { presetSpec } from "../spec/presets.ts";
import type { ExperimentStore } from "../store/experimentState.ts";
import { choosePreset, type SpecDraft } from "../store/specDraft.ts";

interface AskedPreset {
  store: ExperimentStore;
  name: string;
}

/** The question waiting for the reader's answer. */
export const presetQuestion = createStore<{ asked: AskedPreset | null }>(() => ({ asked: null }));

/** At once if nothing is lost, else as a question. */
export function askForPreset(store: ExperimentStore, name: string): void {
  if (hasOwnSettings(store.getState().draft)) presetQuestion.setState({ asked: { store, name } });
  else take({ store, name });
}

export function answerPreset(yes: boolean): void {
  const { asked } = presetQuestion.getState();
  presetQuestion.setState({ asked: null });
  if (asked && yes) take(asked);
}

function take({ store, name }: AskedPreset): void {
  store.setState(({ draft }) => ({ draft: choosePreset(draft, name) }));
}

/** Whether the form differs from its preset, apart from the preset's current revision, and its seed, which is kept. */
export function hasOwnSettings({ spec, pending }: SpecDraft): boolean {
  if (Object.keys(pending).length > 0) return true;
  const { revision: _, ...own } = spec;
  return canonicalJson({ ...presetSpec(spec.preset), seed: spec.seed }) !== canonicalJson(own);
}
