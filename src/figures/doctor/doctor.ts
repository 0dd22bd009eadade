/** The collapse doctor's findings for a run, or what their absence is based on. */
import { niceTicks } from "../../numeric/axis.ts";
import { downsample } from "../../numeric/downsample.ts";
import { greatest, least } from "../../numeric/lists.ts";
import { SLICE, type Sliced } from "../../numeric/sliced.ts";
import { allFindings, evidenceSeries, LogDoctor, type Diagnosis } from "../../reading/diagnosis.ts";
import type { RunLog, RunView, Series } from "../../reading/log/runLog.ts";
import { runConfig } from "../../reading/runConfig.ts";
import type { Story } from "../../reading/story/story.ts";
import { storyNeeds, toldStories } from "../../reading/story/told.ts";
import { titleOf } from "../../reading/titles.ts";
import type { Evidence, Finding } from "../../record/runEvent.ts";
import {
  figurePanel,
  textBlock,
  type Block,
  type CardBlock,
  type ChartBlock,
  type Figure,
  type GridBlock,
  type GridCell,
  type TextBlock,
} from "../figure.ts";
import { checkRows, nearest, type Check, type CheckRow } from "./checks.ts";
import { longestRun, summary } from "./describe.ts";
import { lastBad, sayEvidence, twiceLimited } from "./evidence.ts";
import { doctor } from "./manifest.ts";
import { words } from "./words.ts";

export const doctorPanel = figurePanel({
  panel: doctor,
  about: words.about,
  reads: { needs: ({ view }) => [view], work: ({ view }) => reportOf(view) },
  figure: ({ view: { origin } }, report: Figure) =>
    origin === "none" ? [textBlock(words.empty, "empty")] : report,
});

const doctors = new WeakMap<RunLog, LogDoctor>();

/** It goes on where it stopped. */
function* reportOf(view: RunView): Sliced<Figure> {
  const { log } = view;
  const known = doctors.get(log) ?? new LogDoctor(log);
  doctors.set(log, known);
  while (!known.advance(performance.now() + SLICE)) yield;
  const [, length] = storyNeeds(view);
  return [...storyList(yield* toldStories(log, length)), ...report(log, known.diagnosis)];
}

/** What each method did comes first: a finding may have done no harm. */
function storyList(stories: readonly Story[]): Block[] {
  const items = stories.map(({ algorithm, says }) => ({
    id: algorithm,
    text: `${titleOf(algorithm)}: ${says}`,
  }));
  if (items.length === 0) return [];
  return [{ kind: "list", id: "doctor-stories", label: words.stories, items }];
}

/** Maximum findings drawn: our own doctor reports each once, another program's log may have any number. */
const MOST_FINDINGS = 50;

function report(log: RunLog, { findings: found, notMeasured }: Diagnosis): Figure {
  const findings = allFindings(log, found);
  if (longestRun(log) === 0 && findings.length === 0)
    return [textBlock(words.noIterations, "empty")];
  const shown = findings.map((finding) => ({ finding, over: lastBad(log, finding) }));
  const configOf = (name: string) => runConfig(log.start?.spec, name);
  const rows = checkRows(log.algorithms, findings, notMeasured, configOf);
  const isCut = shown.length > MOST_FINDINGS;
  return [
    textBlock(summary(log, shown, rows), undefined, "doctor-summary"),
    ...shown.slice(0, MOST_FINDINGS).map(({ finding, over }) => card(log, finding, over)),
    ...(isCut ? [textBlock(words.cut(MOST_FINDINGS, shown.length), "note", "doctor-cut")] : []),
    ...checks(rows),
  ];
}

/** What is happening, the evidence, since when, why, and what to try. `over`: the last bad iteration if it is resolved. */
function card(log: RunLog, finding: Finding, over: number | null): CardBlock {
  const { title, severity, algorithm, iteration, firstBad, says, cause, remedies } = finding;
  const isOver = over !== null;
  const when = isOver ? words.wasBad(iteration, firstBad, over) : words.when(iteration, firstBad);
  const limits = sayLimits(finding);
  return {
    kind: "card",
    id: "doctor-finding",
    look: severity === "critical" ? "bad" : "warning",
    tag: words[severity],
    title: `${title} ${words.method(titleOf(algorithm))}`,
    ...(isOver && { after: words.over }),
    blocks: [
      { ...textBlock(isOver ? words.saidThen(says) : says), more: `(${when})` },
      { ...textBlock(""), title: words.evidence },
      ...byMetric(finding).flatMap((evidence) => evidenceBlocks(log, finding, evidence)),
      ...(limits === "" ? [] : [textBlock(limits, "note")]),
      { ...textBlock(cause), title: words.cause },
      { ...textBlock(""), title: isOver ? words.remediesIfAgain : words.remedies },
      { kind: "list", id: "doctor-remedies", items: remedies, isOrdered: true },
      jump(log, finding),
    ],
  };
}

/** Why one number has two limits; nothing if each has one. */
function sayLimits(finding: Finding): string {
  const twice = twiceLimited(finding);
  if (twice.length === 0) return "";
  const own = Object.hasOwn(words.twoLimitsOf, finding.detector);
  return own ? words.twoLimitsOf[finding.detector]! : words.twoLimits(twice.join(", "));
}

/** A finding's evidence grouped by metric: the same metric has the same numbers. */
function byMetric({ evidence }: Finding): Evidence[][] {
  const metrics = [...new Set(evidence.map(({ metric }) => metric))];
  return metrics.map((metric) => evidence.filter((one) => one.metric === metric));
}

/** All of one metric: in words, as a line with its limits, and in numbers. */
function evidenceBlocks(
  log: RunLog,
  { algorithm, firstBad }: Finding,
  evidence: readonly Evidence[],
): Block[] {
  const { metric } = evidence[0]!;
  const series = evidenceSeries(log, algorithm, metric);
  const limits = [...new Set(evidence.flatMap(({ limit }) => limit ?? []))];
  const said: TextBlock = { ...textBlock(sayEvidence(evidence)), code: metric };
  if (!series) return [said];
  const { x, y } = series;
  return [
    said,
    ...plot(series, metric, limits, firstBad),
    {
      kind: "numbers",
      id: `doctor-${metric}`,
      title: words.numbers(metric),
      columns: [{ name: words.iteration }, { name: words.number, unit: "number" }],
      rows: () => x.map((n, i) => [n, y[i] ?? words.notNumber]),
    },
  ];
}

/** Points that a line shows. */
const MOST_POINTS = 120;
/** Nearer than this share of the axis, two of its numbers would touch. */
const APART = 0.1;

/** The metric over the iterations, with the finding's limits and its first bad iteration. */
function plot(series: Series, metric: string, limits: number[], firstBad: number): ChartBlock[] {
  const points = downsample(series.x, series.y, MOST_POINTS);
  const known = points.flatMap(({ y }) => y ?? []);
  if (known.length < 2) return [];
  const reach = [...known, ...limits];
  const all = niceTicks(least(reach), greatest(reach));
  const ends = [points[0]!.x, points.at(-1)!.x] as const;
  const gap = APART * (ends[1] - ends[0]);
  const isClear = ends.every((end) => Math.abs(end - firstBad) >= gap);
  const heights = [all[0]!, all.at(-1)!] as const;
  const hint = words.plotHint(limits.length);
  return [
    {
      kind: "chart",
      id: `doctor-plot-${metric}`,
      title: "",
      hint: `${words.iterations(...ends)}; ${hint}`,
      says: `${words.plot(metric)}; ${hint}`,
      note: "",
      isSmall: true,
      isRead: true,
      x: { domain: ends, ticks: isClear ? [ends[0], firstBad, ends[1]] : ends },
      y: { domain: heights, ticks: heights, unit: "number" },
      marks: [
        ...limits.map((y) => ({ as: "level", y, isLimit: true }) as const),
        { as: "edge", x: firstBad },
        { as: "line", points },
      ],
    },
  ];
}

/** To the first bad iteration, or the nearest one with episodes. */
function jump(log: RunLog, { algorithm, firstBad }: Finding): TextBlock {
  const iteration = nearest(log.iterationsWithEpisodes(algorithm), firstBad);
  if (iteration === null) return textBlock(words.cannotJump, "note");
  const name = iteration === firstBad ? words.jump(iteration) : words.nearest(iteration);
  const to = { algorithm, iteration, episode: 0, turn: 0, token: null };
  return { ...textBlock("", undefined, "doctor-jump"), go: [{ name, to }] };
}

/** What the doctor has checked for which method, so that a lack of findings can be interpreted. */
function checks(rows: readonly CheckRow[]): Block[] {
  const methods = rows[0]?.checks.map(({ algorithm }) => algorithm) ?? [];
  if (methods.length === 0) return [textBlock(words.noMethods, "empty")];
  const unfit = rows.flatMap(unfitText);
  const unmet = rows.flatMap(({ title, checks }) => {
    const metrics = [...new Set(checks.flatMap(({ needs }) => needs ?? []))];
    return metrics.length > 0 ? [`${title} ${words.needs(metrics.join(", "))}`] : [];
  });
  return [
    { ...textBlock(words.checksHint, "note"), title: words.checks },
    table(methods, rows),
    {
      kind: "meanings",
      title: words.checksMeaning,
      items: rows.map(({ title, says }) => ({ name: title, hint: says })),
    },
    ...(unfit.length > 0 ? [{ kind: "list", id: "doctor-unfit", items: unfit } as const] : []),
    ...(unmet.length > 0
      ? [
          { ...textBlock(""), title: words.needsTitle },
          { kind: "list", id: "doctor-needs", items: unmet } as const,
        ]
      : []),
  ];
}

function table(methods: readonly string[], rows: readonly CheckRow[]): GridBlock {
  return {
    kind: "grid",
    id: "doctor-checks",
    label: words.checks,
    rowHead: { name: words.check },
    columns: methods.map((name) => ({ name: titleOf(name) })),
    count: rows.length,
    row: (place) => {
      const { name, title, checks } = rows[place]!;
      return { id: name, name: title, cells: checks.map(stateOf) };
    },
    current: -1,
  };
}

function stateOf({ found, needs, lacks }: Check): GridCell {
  if (found !== null) return { text: words.state.found(found), look: "strong" };
  if (lacks !== null) return { text: words.state.unfit, look: "faint" };
  if (needs !== null) return { text: words.state.notMeasured, look: "faint" };
  return words.state.passed;
}

/** To which methods a check does not apply, and why. */
function unfitText({ title, checks }: CheckRow): string[] {
  const methods = checks.filter(({ lacks }) => lacks !== null);
  const lacks = methods[0]?.lacks;
  const titles = methods.map(({ algorithm }) => titleOf(algorithm));
  return lacks ? [words.unfit(title, titles, lacks)] : [];
}
