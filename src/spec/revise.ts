/** Which experiments get the current revision: new ones whose numbers depend on it. */
import { usedSettings, type SettingName } from "./algorithmDocs/settingUse.ts";
import type { AlgorithmConfig } from "./algorithms.ts";
import { readingOf, specAlgorithms, type ExperimentSpec } from "./experiment.ts";
import { iterativeConfig } from "./iterative.ts";
import { checkLevels, levelReasons } from "./levelCount.ts";
import { CURRENT_REVISION, type RowReading, type RevisionReason } from "./revision.ts";

/** Every kind of number that a revision changed. */
const REASONS: readonly ((spec: ExperimentSpec) => RevisionReason[])[] = [
  rowReasons,
  levelReasons,
  formReasons,
];

/** What would differ in an experiment under the other revision; empty for most. */
export function revisionReasons(spec: ExperimentSpec): RevisionReason[] {
  return REASONS.flatMap((reasonsOf) => reasonsOf(spec));
}

/** The same for one with the first revision; empty for one with the current revision. */
export function oldReadings(spec: ExperimentSpec): RevisionReason[] {
  return readingOf(spec).revision < CURRENT_REVISION ? revisionReasons(spec) : [];
}

/**
 * A new experiment with the current revision if its numbers depend on it, else unchanged.
 * @param before what it was edited from: the first revision is kept, except for a new seed whose
 * levels would be another run's; null for a preset.
 * @throws InputError if the current revision has no levels for it.
 */
export function revised(spec: ExperimentSpec, before: ExperimentSpec | null): ExperimentSpec {
  const isOldSeed = before?.seed === spec.seed || levelReasons(spec).length === 0;
  const keeps = before !== null && isOldSeed && oldReadings(before).length > 0;
  if (spec.revision !== undefined || keeps || revisionReasons(spec).length === 0) return spec;
  const next = { ...spec, revision: CURRENT_REVISION };
  checkLevels(next);
  return next;
}

/** The experiment without a revision that has no effect on it. */
export function unrevised(spec: ExperimentSpec): ExperimentSpec {
  const { revision: _, ...others } = spec;
  return revisionReasons(spec).length === 0 ? others : spec;
}

/** Settings of methods. */
function rowReasons(spec: ExperimentSpec): RevisionReason[] {
  const [old, current] = [1, CURRENT_REVISION].map((revision) => learners({ ...spec, revision }));
  return old!.flatMap((was, i) => {
    const now = current![i]!;
    const names = new Set([...usedSettings(was), ...usedSettings(now)]);
    return [...names]
      .filter((name) => was[name] !== now[name])
      .map((name) => ({
        what: was.name,
        was: settingText(was, name),
        now: settingText(now, name),
      }));
  });
}

function learners(spec: ExperimentSpec): AlgorithmConfig[] {
  const reading: RowReading = readingOf(spec);
  const iterative = iterativeConfig(spec.iterative, reading);
  return [...specAlgorithms(spec), ...(iterative ? [iterative] : [])];
}

function settingText(config: AlgorithmConfig, name: SettingName): string {
  return `${name} ${config[name] ?? "none"}`;
}

/**
 * For games whose answers are a word or two, and often end at the token limit; and for those where
 * malformed turns cost nothing. Elsewhere the first revision's doctor was not affected: answers
 * seldom reach the limit.
 */
function formReasons({ environment }: ExperimentSpec): RevisionReason[] {
  const { kind, formatPenalty } = environment;
  if (kind === "webshop") return [];
  const short: RevisionReason = {
    what: "responses cut off",
    was: "all at the token limit",
    now: "those without an end",
  };
  const free: RevisionReason = { what: "valid turns", was: "all", now: "those in good form" };
  return [...(kind === "sokoban" ? [] : [short]), ...(formatPenalty === 0 ? [free] : [])];
}
