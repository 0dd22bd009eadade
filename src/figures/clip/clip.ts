/**
 * What the clip did in the iteration at the cursor: log-ratios relative to its band, and what it
 * cut.
 */
import { greatest } from "../../numeric/lists.ts";
import { formatSigned } from "../../numeric/format.ts";
import { isTurnMean } from "../../method/objective/ratio.ts";
import { type ClipName, clips } from "../../method/clip/clips.ts";
import { type Band, bandOf } from "../../method/clip/band.ts";
import { binEdge } from "../../algorithm/ratioHistogram.ts";
import type { Histogram, UpdateRecord } from "../../record/runEvent.ts";
import {
  addUp,
  chosenSteps,
  cutFraction,
  epochsOf,
  readStepChoice,
  readSteps,
  type Choice as StepChoice,
  type Sum,
  type TurnCuts,
  writeStepChoice,
} from "../../reading/updateSteps.ts";
import type { FigureChoice } from "../choices.ts";
import {
  type Block,
  type ChartBlock,
  columnsFrom,
  type Figure,
  type FigureCell,
  figurePanel,
  type StepCard,
  textBlock,
} from "../figure.ts";
import { countBeyond, isBeyond } from "./band.ts";
import { drawing } from "./drawing.ts";
import { bandInWords, count, describeHistogram, describeSum, share, stepName } from "./describe.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { RunView } from "../../reading/log/runLog.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";
import { runConfig } from "../../reading/runConfig.ts";
import { countDual } from "../../reading/dual.ts";
import { lastUse, withoutClipData } from "../../reading/lastUse.ts";
import { clip } from "./manifest.ts";
import { words } from "./words.ts";

// Everything that the clip panel draws of the iteration at the cursor.

interface ClipModel {
  /** Null if the run does not give its settings. */
  config: AlgorithmConfig | null;
  band: Band | null;
  /** `log`: the iteration's steps; `lastUse`: computed from the recorded turns; `none`: neither. */
  source: "log" | "lastUse" | "none";
  steps: readonly UpdateRecord[];
  refused: number;
  /**
   * Turns of `lastUse` that are not counted: whether a clip cut them, or on which side, is unknown.
   */
  unknown: number;
  /** Of the recorded turns cut with A < 0, those that the dual clip cut. */
  duals: { dual: number; low: number };
  /** Whether the log says that the actor took no step. */
  still: boolean;
}

export function clipModel(view: RunView, at: ResolvedChoice): ClipModel {
  const config = runConfig(view.log.start?.spec, at.algorithm);
  const raw = view.log.updates(at.algorithm, at.iteration);
  const { steps, refused } = readSteps(raw);
  // About the run: its recorded turns, also if the cursor is at a fork.
  const episodes = view.log.episodes(at.algorithm, at.iteration);
  const duals = countDual(episodes, config);
  const about = { config, band: config && bandOf(config), refused, unknown: 0, duals };
  if (steps.length > 0) return { ...about, source: "log", steps, still: false };
  const still = raw !== null && refused === 0;
  const last = still ? null : lastUse(episodes, about.band);
  if (!last) return { ...about, source: "none", steps: [], still };
  return { ...about, source: "lastUse", steps: [last], still, unknown: withoutClipData(episodes) };
}

export const clipPanel = figurePanel({
  panel: clip,
  about: words.about,
  region: words.region,
  isEmpty: (view, at) => at.iterations.length === 0 && clipModel(view, at).source === "none",
  figure: ({ view, at, set: { heights }, held }): Figure => {
    const model = clipModel(view, at);
    const { source, refused, still, steps } = model;
    const n = count(steps.flatMap((step) => step.turn.counts).reduce((sum, one) => sum + one, 0));
    const absent = still ? words.still : words.absent;
    const instead = source === "lastUse" ? words.lastUse(n) : still ? "" : words.nothing;
    return [
      ...(refused > 0 ? [textBlock(words.refused(refused), "warning")] : []),
      ...(source === "log" ? [] : [textBlock(`${absent} ${instead}`.trim(), "empty")]),
      ...(source === "none" ? [] : stepBlocks(model, heights, held[STEPS])),
    ];
  },
});

/** The choice of steps; it is not in the address. */
const STEPS = "steps";
const ALL = writeStepChoice({ kind: "all" });
const UNITS = ["token", "turn"] as const;
type HistogramUnit = (typeof UNITS)[number];

function stepBlocks(model: ClipModel, heights: "log" | "linear", asked = ALL): Block[] {
  const { steps, band, config, source, unknown, duals } = model;
  const wanted = readStepChoice(asked);
  const some = chosenSteps(steps, wanted);
  const choice: StepChoice = wanted.kind !== "all" && some === steps ? { kind: "all" } : wanted;
  const sum = addUp(some);
  const name = source === "lastUse" ? words.lastUseName : stepName(choice, steps);
  return [
    textBlock(config && band ? ruleText(config, band) : words.unknown, undefined, "clip-rule"),
    {
      kind: "choices",
      choices: [
        ...(source === "log" ? [stepSelect(steps, choice)] : []),
        {
          id: "heights",
          label: words.logCounts,
          look: "check",
          value: heights,
          options: ["log", "linear"].map((value) => ({ value, name: value })),
        },
      ],
    },
    textBlock(
      [
        describeSum(name, sum),
        unknown > 0 && sum.total.uses > 0 ? words.withoutData(count(unknown)) : "",
        duals.dual > 0 ? words.dualCount(count(duals.dual), count(duals.low)) : "",
      ]
        .filter((part) => part !== "")
        .join(" "),
      undefined,
      "clip-summary",
    ),
    { kind: "side", parts: UNITS.map((unit) => [histogram(model, sum, unit, heights === "log")]) },
    ...(source === "log" ? strip(steps, band, choice) : []),
    ...tables(sum, steps, band),
  ];
}

function ruleText({ clip: rule, own }: AlgorithmConfig, band: Band): string {
  const level = words.levels[band.level];
  if (band.level === "none") return level;
  if (own?.clip !== undefined) return [level, words.own(own.clip)].join(" ");
  const hasBand = band.low !== null || band.high !== null;
  return [level, clips[rule].says, ...(hasBand ? [bandInWords(band)] : [])].join(" ");
}

function stepSelect(steps: readonly UpdateRecord[], choice: StepChoice): FigureChoice {
  const epochs = epochsOf(steps);
  const ofEpochs = epochs.length > 1 ? epochs : [];
  return {
    id: STEPS,
    label: words.show,
    look: "select",
    testId: "clip-choice",
    value: writeStepChoice(choice),
    options: [
      { value: ALL, name: words.all(steps.length) },
      ...ofEpochs.map((epoch) => ({
        value: writeStepChoice({ kind: "epoch", epoch }),
        name: words.epoch(epoch),
      })),
      ...steps.map(({ epoch, minibatch }, step) => ({
        value: writeStepChoice({ kind: "step", step }),
        name: words.step(epoch, minibatch),
      })),
    ],
  };
}

function histogram(model: ClipModel, sum: Sum, unit: HistogramUnit, log: boolean): ChartBlock {
  const { band: whole, config } = model;
  const band = whole?.level === unit ? whole : null;
  const pooled = config && isTurnMean(config.ratio) ? words.pooled.mean : words.pooled.sum;
  const counts = sum[unit];
  const most = greatest(counts.counts);
  const says = describeHistogram(counts, unit, whole);
  const hint = [
    ...(unit === "turn" ? [pooled] : []),
    // Without the run's settings the clip's band is unknown.
    ...(whole ? [band ? words.clipHere : words.clipElsewhere] : []),
    words.axis,
  ];
  const notes = [says, words.most(count(most))];
  if (band) notes.push(hatchedText(counts, band, config?.clip ?? null));
  notes.push(gatheredText(counts));
  const picture = { id: `clip-${unit}`, title: words.histogram[unit], hint: hint.join("; "), says };
  if (most === 0)
    return {
      ...drawing(counts, band, log),
      ...picture,
      marks: [],
      note: words.noCounts(words.units[unit]),
    };
  const note = notes.filter((one) => one !== "").join(" ");
  return { ...drawing(counts, band, log), ...picture, note };
}

/** The meaning of hatched bars; empty if there are none. */
function hatchedText(counts: Histogram, band: Band, rule: ClipName | null): string {
  if (countBeyond(counts, band).n === 0) return "";
  if (rule && clips[rule].weighsTokens) return words.hatched;
  return band.dual === null ? words.hatchedRange : words.hatchedDual;
}

function gatheredText({ inner, limit }: Histogram): string {
  if (!inner || limit <= Math.min(-inner[0], inner[1])) return "";
  return words.gathered(formatSigned(inner[0]), formatSigned(inner[1]));
}

function strip(steps: readonly UpdateRecord[], band: Band | null, choice: StepChoice): Block[] {
  const unit = band?.level === "token" ? "token" : "turn";
  const here = band?.level === unit ? band : null;
  const hint = `${words.stepsHint} ${words.stepsLevel(words.units[unit])}`;
  return [
    { ...textBlock(hint, "note"), title: words.stepsTitle },
    {
      kind: "steps",
      id: "clip-strip",
      label: words.stepsTitle,
      current: choice.kind === "step" ? choice.step : null,
      act: (step) => ({
        choose: { [STEPS]: writeStepChoice({ kind: "step", step }) },
        undo: { [STEPS]: ALL },
      }),
      count: steps.length,
      card: (i) => stepCard(steps[i]!, unit, here),
    },
  ];
}

function stepCard(step: UpdateRecord, unit: HistogramUnit, band: Band | null): StepCard {
  const name = words.step(step.epoch, step.minibatch);
  return {
    name,
    lines: [
      words.cardCut(share(cutFraction(addUp([step]).total))),
      words.cardGradient(share(step.cutShare)),
    ],
    chart: { ...drawing(step[unit], band, true), id: `clip-card-${name}`, title: "", says: "" },
  };
}

const CUTS = ["count", "count", "count", "share"] as const;

function tables(sum: Sum, steps: readonly UpdateRecord[], band: Band | null): Block[] {
  const { tables: titles, heads } = words;
  const ofUses = (block: Block) => (sum.total.uses > 0 ? [block] : []);
  return [
    ...ofUses({
      kind: "numbers",
      id: "clip-turns-table",
      title: titles.turns,
      columns: columnsFrom(heads.turns, ["count", ...CUTS]),
      rows: () => sum.byTurn.map((cuts, h) => [h + 1, ...cutCells(cuts)]),
    }),
    ...UNITS.map((unit): Block => ({
      kind: "numbers",
      id: `clip-${unit}-table`,
      title: titles.bins(words.units[unit]),
      columns: columnsFrom(heads.bins, ["signed", "signed", "count"]),
      rows: () => binRows(sum[unit], band?.level === unit ? band : null),
    })),
    ...ofUses({
      kind: "numbers",
      id: "clip-steps-table",
      title: titles.steps,
      columns: columnsFrom(heads.steps, ["text", ...CUTS, "share"]),
      rows: () =>
        steps.map((step) => [
          ...[words.step(step.epoch, step.minibatch), ...cutCells(addUp([step]).total)],
          step.cutShare,
        ]),
    }),
  ];
}

function cutCells(cuts: TurnCuts): FigureCell[] {
  return [cuts.uses, cuts.high, cuts.low, cutFraction(cuts)];
}

function binRows(counts: Histogram, band: Band | null): FigureCell[][] {
  return counts.counts.map((n, i) => {
    const [from, to] = [binEdge(counts, i), binEdge(counts, i + 1)];
    return [from, to, n, band !== null && isBeyond(band, from, to)];
  });
}
