/** Words of the curves in the lens. Each control's hint says what it does to the picture. */
import type { CurveAxis, IntervalKind, Seeds } from "../../store/curvesView.ts";
import { counted } from "../../numeric/counted.ts";
import { titleOf } from "../../reading/titles.ts";

export const words = {
  empty: "No data yet. Press Run to draw a curve for each method.",
  sender: {
    name: (method: string) => `${method} (sender)`,
    note: "Pale bands: the sender’s curves, from the link.",
  },
  bands: (seeds: number, live: boolean, collapsed: number) =>
    `Bands: mean and 95 % interval of ${seeds} recorded seeds, Student's t. Thick lines: ${live ? "your live run" : "one recorded run"}, one seed.` +
    (collapsed > 0 ? ` ${collapsed} of the recorded runs collapsed.` : "") +
    " Command for the bands:",
  another: { label: "Add another metric", none: "none" },
  noCharts: "No chart is chosen. Add a metric below.",
  mostMethods: (n: number) => `At most ${n} are drawn: uncheck one to choose another.`,
  allHidden: "All runs or all methods are hidden; show one below.",
  controls: "Axes, smoothing, seeds and zoom",
  axis: {
    label: "X axis",
    hint: "the quantity on the x axis; computing time is that of the method's own iterations, without evaluations, pauses and other methods",
    options: {
      iteration: "iteration",
      turns: "environment turns",
      tokens: "tokens written",
      time: "computing time",
    } satisfies Record<CurveAxis, string>,
    /** As the axis names one step. */
    names: {
      iteration: "iteration",
      turns: "turn",
      tokens: "token",
      time: "second",
    } satisfies Record<CurveAxis, string>,
    titles: {
      iteration: "iteration",
      turns: "environment turns played",
      tokens: "tokens written by the model",
      time: "seconds of computing time, without evaluations",
    } satisfies Record<CurveAxis, string>,
    missing: (names: string) => `${names}: no data on this axis, so not shown.`,
  },
  smoothing: {
    label: "Smoothing",
    hint: "exponential moving average; unsmoothed values stay faint behind it",
    off: "off",
    said: (hint: string) => `${hint.replace(/\.$/, "")}, smoothed.`,
  },
  heights: "Y axis",
  log: {
    label: "Log scale",
    hint: "equal steps are equal factors; values at or below 0 are not shown",
    missing: (count: number) =>
      `${counted(count, "value is", "values are")} 0 or below and cannot be shown on a log scale.`,
  },
  trim: {
    label: "Ignore outliers in scaling",
    hint: "the y axis ignores up to 2 % of the points: those more than 3 interquartile ranges from the median; lines, tables and files keep them",
    outside: (count: number) =>
      `${counted(count, "outlier is", "outliers are")} outside the y axis.`,
  },
  seeds: {
    label: "Runs that differ only in the seed",
    hint: "one line for all of them, or one per run",
    options: {
      each: "one line per run",
      mean: "their mean",
      iqm: "their interquartile mean",
    } satisfies Record<Seeds, string>,
    averaged: (by: string) =>
      `Runs that differ only in their seed are one line: ${by} per iteration, with x averaged too.`,
    mean: "the mean",
    iqm: "the mean of the middle half",
    duplicate: (letters: string) =>
      `${letters}: same experiment and seed as another run, so shown as a separate line and not counted as more evidence.`,
  },
  interval: {
    label: "95 % interval",
    hint: "uncertainty of the mean with this few seeds",
    options: {
      t: "Student's t",
      bootstrap: "bootstrap",
      none: "none",
    } satisfies Record<IntervalKind, string>,
    cut: "An interval extends beyond the chart: too few runs to conclude. The table has its ends.",
  },
  baseline: { label: "Compare with", hint: "shows differences to this line", none: "nothing" },
  zoom: {
    label: "Zoom",
    in: "Zoom in",
    out: "Zoom out",
    earlier: "Earlier",
    later: "Later",
    reset: "Show all",
    now: (from: string, to: string) => `showing ${from} to ${to}`,
  },
  methods: "Methods",
  keys: "In a chart: drag to select iterations, click to move the cursor of all panels, double-click to show all. Keys: ← and → read values, Enter moves the cursor, B begins or ends a selection, + and − zoom (into a selection, if there is one), < and > pan, 0 or Escape clears the selection, then shows all.",
  add: {
    label: "Add a metric",
    example: "Policy entropy",
    hint: "any metric of the run, in words or by its name in logs",
    button: "Add",
    unknown: (name: string, near: readonly string[]) =>
      `No run has a metric named ${name}.${near.length > 0 ? ` Nearest: ${near.join(", ")}.` : ""}`,
    full: (most: number) => `At most ${most} charts; remove one first.`,
    sources: { train: "training", heldout: "held-out levels" },
  },
  notFinite: "not a number",
  removeShort: "Remove chart",
  sweep: {
    empty: "No run has finished yet. Press Run to train them.",
    title: "Where the runs ended: the mean over seeds, with its 95 % interval",
    setting: "Setting",
    method: "Method",
    runs: "Runs",
    of: (finished: number, planned: number, collapsed: number) =>
      `${finished} of ${planned}${collapsed > 0 ? `, ${collapsed} collapsed` : ""}`,
    named: (letter: string, name: string) => (name === "" ? letter : `${letter} · ${name}`),
    line: (letter: string, name: string, method: string) =>
      name === "" ? `${letter} · ${method}` : `${letter} · ${name}: ${method}`,
    interval: (value: string, low: string, high: string) => `${value} (${low} to ${high})`,
    against: (letter: string, base: string, method: string, methods: number) =>
      `${letter} minus ${base}${methods > 1 ? `, ${titleOf(method)}` : ""}:`,
    difference: (metric: string, value: string, pairs: number) =>
      `${metric} ${value}, ${counted(pairs, "pair")} of seeds`,
    within: (low: string, high: string) => `, 95 % interval ${low} to ${high}`,
    differs: "The interval leaves out 0.",
    undecided: (more: string) => `The interval holds 0: this cannot tell. ${more}.`,
  },
  compare: {
    line: (letter: string, experiment: string, method: string) =>
      `${letter} · ${experiment}: ${method}`,
    same: "The experiments have the same settings, seeds aside.",
    differences: "Settings in which the experiments differ",
    setting: "Setting",
  },
  runs: {
    title: "Runs",
    intro:
      "Kept runs stay until the page is closed, even after a reset. Run again with another setting or seed to compare.",
    keep: "Keep this run",
    kept: "This run is kept.",
    full: (most: number) => `At most ${most} runs can be kept; drop one first.`,
    keptLabel: (n: number) => `kept run ${n}`,
    drop: "Drop",
    dropLabel: (label: string) => `Drop ${label}`,
    show: (label: string) => `Show ${label}`,
    name: (letter: string) => `Name of run ${letter}`,
    columns: { show: "Shown", run: "Run", from: "From", seed: "Seed", done: "Iterations" },
    origins: {
      live: "live",
      recorded: "recorded",
      kept: "kept",
      imported: "imported",
      shared: "from the link",
    },
    collapsed: (count: number) => `${count} collapsed`,
    seeds: (n: number) => `${n} seeds`,
    seedsOf: (n: number, name: string) => `${n} seeds of ${name}`,
    end: (title: string, value: string, interval: string, iteration: number) =>
      `${title} ${value}${interval} at iteration ${iteration}`,
    interval: (low: string, high: string) => ` (95 %: ${low} to ${high})`,
    noEnd: "recorded seeds",
    same: "Same settings except the seed.",
    differ: "The last columns are the settings that differ.",
    unknownSettings: (letters: string) =>
      `${letters}: the files lack some settings, so there may be more differences.`,
    isSeed: "one of several seeds",
    isSeedLabel: (label: string) => `Count ${label} as one of several seeds`,
    noSeeds: (letters: string) =>
      `${letters}: the files have no seed, so each run is a separate line. If only the seed differs, tick the column Seed to average them.`,
    together: (letters: string) =>
      `${letters} are averaged as seeds because you marked them; the files have no seed.`,
    absent: "–",
    unknown: "unknown",
  },
  latest: {
    title: "Latest numbers",
    line: "Line",
    note: "The latest value of each line, as drawn.",
    difference: {
      iteration: (name: string, _axis: string) =>
        `Below each: the difference to ${name} at the last common iteration.`,
      x: (name: string, axis: string) =>
        `Below each: the difference to ${name} at the same ${axis}, interpolated, up to where both end.`,
    },
    differenceAt: (axis: string, x: string) => `at ${axis} ${x}`,
    at: (iteration: number) => `at iteration ${iteration}`,
    none: "–",
  },
  seedMean: (n: number) => `mean of ${n} recorded seeds`,
  seedsNote: (n: number) => `${n} seeds`,
  crashedNote: (count: number, n: number) => `${count} of ${n} crashed`,
  table: {
    difference: "difference",
    at: (x: string) => `at ${x}`,
  },
  crossNote: "A cross marks a crash; from there its line has one fewer run.",
  export: {
    title: "Save as a file",
    numbers: "All data of these charts, unsmoothed:",
    smoothed: (weight: string) => `smoothed by ${weight}, unsmoothed values faint`,
  },
} as const;
