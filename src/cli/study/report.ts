/** What a study found: scores, health, the search's doubts, controls, and one sentence. */
import { compareArms, profileOf, type Arm, type ArmContrast } from "../../numeric/armVerdict.ts";
import { mean, min, tInterval, type Interval } from "../../numeric/statistics.ts";
import { significant } from "../../numeric/significant.ts";
import { HEALTH_COLUMNS, healthOf } from "../sweep/health.ts";
import type { RunResult } from "../sweep/results.ts";
import type { SealedScore } from "./sealed.ts";
import { candidateName, edges, type Halving, type SearchCandidate } from "./search.ts";
import type { StudyFile } from "../../notebook/study/studyFile.ts";

/** Scores in between are where profiles differ. */
const LIMITS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

interface ArmReport {
  arm: string;
  draw: string;
  settings: SearchCandidate["settings"];
  /** Fields whose best value lies at the edge of what was searched. */
  widen: string[];
  /** Of each seed, over the sealed levels. [seeds] */
  scores: number[];
  mean: number;
  /** 95 %, Student's t over seeds. */
  interval: Interval;
  /** Share of runs that reach each of `limits`. */
  profile: number[];
  health: Record<string, string>;
}

type StatedContrast = ArmContrast & { says: string };

export interface StudyVerdict {
  study: string;
  measure: StudyFile["measure"];
  /** One sentence. */
  says: string;
  contrasts: StatedContrast[];
  arms: ArmReport[];
  limits: number[];
  /** The first arm against others where both have the settings that one of them was given by its search: no verdicts. */
  controls: (Pick<ArmContrast, "a" | "b" | "mean" | "interval"> & {
    /** Whose settings both have. */
    settings: string;
    says: string;
  })[];
  search: Halving[];
  sealed: { opened: 1; levels: number; policies: number };
}

interface StudyFound {
  study: StudyFile;
  /** Of each arm, in order. */
  best: readonly SearchCandidate[];
  /** All finals, controls too. */
  results: readonly RunResult[];
  scores: readonly SealedScore[];
  search: Halving[];
}

/** The arms' settings swapped: what each arm does with each other's. */
export function controlsOf(
  { control }: StudyFile,
  best: readonly SearchCandidate[],
): SearchCandidate[] {
  const [first, ...others] = best;
  if (!control) return [];
  const swapped = others.flatMap((other) => [
    { ...other, method: first!.method },
    { ...first!, method: other.method },
  ]);
  const names = best.map(candidateName);
  return swapped.filter((one) => {
    const name = candidateName(one);
    if (names.includes(name)) return false;
    names.push(name);
    return true;
  });
}

export function reportOf(found: StudyFound): StudyVerdict {
  const { study, best, results, scores, search } = found;
  const { name, measure, sealed } = study;
  const arms = best.map(armOf);
  const [first, ...others] = best;
  const pairs = others.map(({ method }) => [first!.method, method] as const);
  const contrasts = compareArms(arms, pairs).map((one) => ({ ...one, says: saidOf(one, measure) }));
  const [levels, seeds] = [sealed.levels, study.final.seeds.length];
  return {
    study: name,
    measure,
    says: verdictOf(contrasts, levels, seeds),
    contrasts,
    arms: best.map((one, i) => armReport(found, one, arms[i]!)),
    limits: LIMITS,
    controls: study.control
      ? others.flatMap((other) => [control(first!, other, other), control(first!, other, first!)])
      : [],
    search,
    sealed: { opened: 1, levels, policies: scores.length },
  };

  function control(
    a: SearchCandidate,
    b: SearchCandidate,
    { draw, settings, method }: SearchCandidate,
  ) {
    const both = [a, b].map((one) => armOf({ ...one, draw, settings }));
    const [{ mean: difference, interval }] = compareArms(both, [[a.method, b.method]]) as [
      ArmContrast,
    ];
    const about = { a: a.method, b: b.method, settings: method, mean: difference, interval };
    const shown = measuredSays(about, measure);
    return { ...about, says: `control, both with ${method}'s settings: ${shown}.` };
  }

  function armOf(candidate: SearchCandidate): Arm {
    const own = runsOf(results, candidate);
    return { name: candidate.method, scores: own.map(({ run }) => row(run.name)) };
  }

  /** A policy that is not finite any more solves nothing, and earns the least of all. */
  function row(run: string): number[] {
    const own = scores.find((one) => one.run === run)![measure];
    const least = measure === "success" ? 0 : min(scores.flatMap((one) => one.reward ?? []));
    return own ?? Array<number>(levels).fill(least);
  }
}

const runsOf = (results: readonly RunResult[], candidate: SearchCandidate) =>
  results.filter(({ run }) => run.setting === candidateName(candidate));

function armReport(
  { study, results }: StudyFound,
  candidate: SearchCandidate,
  arm: Arm,
): ArmReport {
  const scores = arm.scores.map(mean);
  const health = healthOf(runsOf(results, candidate), study.collapse);
  return {
    arm: arm.name,
    draw: candidate.draw,
    settings: candidate.settings,
    widen: edges(study.search.over, candidate.settings),
    scores,
    mean: mean(scores),
    interval: tInterval(scores),
    profile: profileOf(arm, LIMITS),
    health: Object.fromEntries(HEALTH_COLUMNS.map((column, i) => [column, health[i]!])),
  };
}

/** A drop of the search, and how sure it was. */
export function halvingSays({ stage, method, kept, dropped, gap, error, wrong }: Halving): string {
  const doubt =
    gap === null || error === null || wrong === null
      ? "its error is unknown"
      : `gap ${significant(gap, 2)}, standard error ${significant(error, 2)}, wrong with chance ${significant(wrong, 2)}`;
  return `search, stage ${stage}, ${method}: kept ${kept} of ${kept + dropped}; ${doubt}`;
}

function measuredSays(
  { a, b, mean: difference, interval }: Pick<ArmContrast, "a" | "b" | "mean" | "interval">,
  measure: StudyFile["measure"],
): string {
  const unit = measure === "success" ? " points" : "";
  const shown = (x: number) => signed(measure === "success" ? 100 * x : x);
  const range = `95 % ${shown(interval.low)} to ${shown(interval.high)}`;
  return `${a} minus ${b}: ${measure} ${shown(difference)}${unit} (${range})`;
}

function saidOf(contrast: ArmContrast, measure: StudyFile["measure"]): string {
  const { improvement, holm } = contrast;
  const wins = `better in ${Math.round(100 * improvement)} % of pairs of runs`;
  const p = holm < 0.001 ? "under 0.001" : String(significant(holm, 2));
  return `${measuredSays(contrast, measure)}, ${wins}, p by Holm ${p}: ${judgedWord(contrast)}.`;
}

function judgedWord({ verdict, seeds }: ArmContrast): string {
  if (verdict !== "cannot tell") return verdict;
  return `cannot tell (${seeds === null ? "10,000 seeds would not" : `about ${seeds} seeds would`})`;
}

const signed = (x: number) => `${x < 0 ? "−" : "+"}${Math.abs(significant(x, 3))}`;

function verdictOf(contrasts: readonly ArmContrast[], levels: number, seeds: number): string {
  const said = contrasts.map((one) =>
    one.verdict === "cannot tell"
      ? `against ${one.b} ${judgedWord(one)}`
      : `${one.verdict} than ${one.b}`,
  );
  const count = contrasts.length > 1 ? `, Holm over ${contrasts.length} contrasts` : "";
  return `${contrasts[0]!.a}: ${said.join("; ")} (${seeds} seeds, ${levels} sealed levels${count}).`;
}
