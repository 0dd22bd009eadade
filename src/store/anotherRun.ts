/** Whether the numbers on screen belong to another experiment than the form's: then the page says so. */
import { canonicalJson } from "../spec/canonical.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import type { StartEvent } from "../record/runEvent.ts";
import { senderFromText, senderToText, type Expectation } from "../spec/linkExtras.ts";
import type { ExperimentState } from "./experimentState.ts";

/** Whether the page's recorded run plays in another environment than the form's: then no numbers are shown. */
export function playsElsewhere({
  recording,
  recorded,
}: Pick<ExperimentState, "recording" | "recorded">): boolean {
  return recording.state === "shown" && recorded === null;
}

/** A setting that differs: its dotted path, and both values as strings; null for an absent one. */
export interface Difference {
  path: string;
  here: string | null;
  recorded: string | null;
}

type ViewAndDraft = Pick<ExperimentState, "view" | "own" | "draft">;

export function showsAnotherRun({ view, own, draft }: ViewAndDraft): boolean {
  return view.origin === "recorded" && settingsThatDiffer(draft.spec, own).length > 0;
}

/** Settings that do not change a run's numbers: what is stored, which engine computes, the preset's name. */
const CHANGES_NOTHING = ["recordEpisodes", "engine", "preset"];

/** The form's settings that differ from the page's own. */
export function settingsThatDiffer(here: ExperimentSpec, own: ExperimentSpec): Difference[] {
  const [a, b] = [flattened(here), flattened(own)];
  const paths = [...new Set([...a.keys(), ...b.keys()])];
  return paths
    .map((path) => ({ path, here: a.get(path) ?? null, recorded: b.get(path) ?? null }))
    .filter((one) => one.here !== one.recorded);
}

/**
 * The version and engine of a run, in a link's words: the graphics card is named if numbers depend
 * on it.
 */
export function senderOf({ version, engine }: StartEvent): string {
  const { backend, adapter, reproducible } = engine;
  return senderToText({ version, backend, device: reproducible === "everywhere" ? "" : adapter });
}

/** The run's version, backend and device, if they differ from those of its link's run. */
export function engineThatDiffers(start: StartEvent, { sender }: Expectation): Difference[] {
  const [theirs, own] = [senderFromText(sender), senderFromText(senderOf(start))];
  if (!theirs || !own) return [];
  return (["version", "backend", "device"] as const)
    .filter((path) => own[path] !== theirs[path])
    .map((path) => ({ path, here: own[path] || null, recorded: theirs[path] || null }));
}

function flattened(spec: ExperimentSpec): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [key, value] of Object.entries(spec))
    if (!CHANGES_NOTHING.includes(key)) flatten(value, key, texts);
  return texts;
}

function flatten(value: unknown, path: string, into: Map<string, string>): void {
  if (value === undefined) return;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    into.set(path, typeof value === "string" ? value : canonicalJson(value));
  else for (const [key, inner] of Object.entries(value)) flatten(inner, `${path}.${key}`, into);
}
