/** Words of the curves in the lens. Each control's hint says what it does to the picture. */
import type { CurveAxis, IntervalKind, Seeds } from "../../store/curvesView.ts";
import { counted } from "../../numeric/counted.ts";

export const words = {
  empty: "No numbers yet. Press Run, and a curve for each method grows here.",
  noCharts: "No chart is chosen. Add a number below.",
  allHidden: "Every run or every method is switched off; switch one on below.",
  controls: "How the curves are drawn",
  axis: {
    label: "Along x",
    hint: "what is counted from left to right: a method that learns from fewer turns may still need more time; computing time is the iterations' of the method itself, without evaluations, pauses and the other methods",
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
      time: "seconds of computing, without evaluations",
    } satisfies Record<CurveAxis, string>,
    missing: (names: string) =>
      `${names}: the run does not say how much of this it used up, so it has no place on this axis.`,
  },
  smoothing: {
    label: "Smoothing",
    hint: "a running mean that forgets slowly; the numbers themselves stay faint behind it",
    off: "off",
  },
  heights: "Heights",
  log: {
    label: "Logarithmic heights",
    hint: "each step up is a factor; numbers at or below 0 have no place there",
    missing: (count: number) =>
      `${counted(count, "number is", "numbers are")} 0 or below: a logarithmic scale has no place for ${count === 1 ? "it" : "them"}.`,
  },
  trim: {
    label: "Scale without outliers",
    hint: "up to 2 % of the points, those farthest from the middle, do not count for the height of the picture if they also lie more than 3 times as far from it as the middle half of the points is wide; they stay in lines, tables and files",
    outside: (count: number) =>
      `${counted(count, "point lies", "points lie")} above or below the picture, left out of its scale only.`,
  },
  seeds: {
    label: "Runs that differ only in the seed",
    hint: "one line for all of them, or one each",
    options: {
      each: "one line each",
      mean: "their mean",
      iqm: "their interquartile mean",
    } satisfies Record<Seeds, string>,
    averaged: (by: string) =>
      `Runs that differ only in their seed are one line: ${by}, iteration by iteration, with their places on x averaged as well.`,
    mean: "the mean",
    iqm: "the mean without the lowest and the highest quarter",
    duplicate: (letters: string) =>
      `${letters}: the same experiment with the same seed as another run, so a line of its own; counted with the others it would look like more evidence than there is.`,
  },
  interval: {
    label: "95 % interval",
    hint: "how far off the mean may be with so few seeds",
    options: {
      t: "Student's t",
      bootstrap: "bootstrap",
      none: "none",
    } satisfies Record<IntervalKind, string>,
    cut: "An interval reaches beyond the picture: so few runs say little. The table has its ends.",
  },
  baseline: { label: "Compare with", hint: "differences to this line are shown", none: "nothing" },
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
  keys: "In a chart: drag to zoom in, double click to show all again, click to move the cursor of all panels there. With the keyboard: ← and → read, Enter moves the cursor, + and − zoom, < and > go along, 0 or Escape shows all.",
  add: {
    label: "Add a chart of",
    hint: "any number of the run; type to search",
    button: "Add",
    unknown: (name: string) => `No run has a number called ${name}.`,
    full: (most: number) => `${most} charts are the most; remove one first.`,
    training: "training",
    heldout: "held-out levels",
  },
  notFinite: "not a number",
  remove: (title: string) => `Remove the chart of ${title}`,
  removeShort: "Remove",
  runs: {
    title: "Runs",
    intro:
      "A kept run stays here, also after a reset, until the page is closed: run again with another setting or seed, and compare.",
    keep: "Keep this run",
    kept: "This run is kept.",
    full: (most: number) =>
      `${most} runs are kept, which is all there is room for; drop one first.`,
    keptLabel: (n: number) => `kept run ${n}`,
    drop: "Drop",
    dropLabel: (label: string) => `Drop ${label}`,
    show: (label: string) => `Draw ${label}`,
    name: (letter: string) => `Name of run ${letter}`,
    columns: { show: "Drawn", run: "Run", from: "From", seed: "Seed", done: "Iterations" },
    origins: { live: "live", recorded: "recorded", kept: "kept", imported: "imported" },
    crashed: (count: number) => `${count} crashed`,
    same: "But for the seed they have the same settings.",
    differ: "The columns after them are the settings in which they differ.",
    unknownSettings: (letters: string) =>
      `${letters}: not all settings are known, because the files do not say them; they may differ in more than is shown here.`,
    isSeed: "one of several seeds",
    isSeedLabel: (label: string) => `Count ${label} as one of several seeds`,
    noSeeds: (letters: string) =>
      `${letters}: the files tell no seed, so each is a line of its own. If they differ only in the seed, say so in the column Seed, and their mean can be drawn.`,
    together: (letters: string) =>
      `${letters} count as seeds of one another because you say so; the files do not tell.`,
    absent: "–",
    unknown: "not said",
  },
  latest: {
    title: "Latest numbers",
    line: "Line",
    note: "The newest number of each line, as drawn.",
    difference: {
      iteration: (name: string, _axis: string) =>
        `Below each: the difference to ${name}, at the last iteration that both have.`,
      x: (name: string, axis: string) =>
        `Below each: the difference to ${name} at the same ${axis}, as far as both go; ${name} is taken between its points.`,
    },
    differenceAt: (axis: string, x: string) => `at ${axis} ${x}`,
    at: (iteration: number) => `at iteration ${iteration}`,
    none: "–",
  },
  seedsNote: (n: number) => `${n} seeds`,
  crashedNote: (count: number, n: number) => `${count} of ${n} crashed`,
  crossNote: "A cross is where a run crashed; from there on its line has one run less.",
  export: {
    title: "Save as a file",
    numbers: "The numbers of these charts, all of them and unsmoothed:",
    picture: "As a picture with every point:",
    smoothed: (weight: string) => `smoothed by ${weight}, the numbers themselves faint`,
    svg: "SVG",
    png: "PNG",
    label: (format: string, title: string) => `${title} as ${format}`,
    failed: "The picture could not be made in this browser.",
  },
} as const;
