/** Which methods come near the true gradient: a recorded figure, which needs no run. */
import { formatFixed, formatPercent } from "../../numeric/format.ts";
import type { CurveParts } from "../curves/curve.ts";
import type { ChosenOptions, FigureChoice } from "../choices.ts";
import { figurePanel, textBlock, type Figure, type GridBlock, type LinesBlock } from "../figure.ts";
import { gradient } from "./manifest.ts";
import {
  drawnAtFirst,
  MOST_LINES,
  ranked,
  type Alike,
  type FigureEstimate,
  type FigureCheckpoint,
  type GradientFigure,
} from "./recorded.ts";
import { words } from "./words.ts";

/** Of the file; null if it did not load. */
export const gradientPanel = (recorded: GradientFigure | null) =>
  figurePanel({
    panel: gradient,
    about: words.about,
    ofRun: false,
    figure: ({ held }) =>
      recorded ? figureOf(recorded, held) : [textBlock(words.failed, "warning")],
  });

function figureOf({ checkpoints }: GradientFigure, held: ChosenOptions): Figure {
  const chosen = checkpoints.find(({ id }) => id === held["checkpoint"]) ?? checkpoints[0]!;
  const { sizes } = chosen;
  const size = sizes.find((one) => String(one) === held["size"]) ?? sizes.at(-1)!;
  const at = sizes.indexOf(size);
  const rows = ranked(chosen.rows, at);
  const names = held["drawn"]?.split(",") ?? drawnAtFirst(rows);
  const drawn = rows.filter(({ name }) => names.includes(name));
  const policies = checkpoints.map(({ id, title }) => ({ value: id, name: title }));
  const batches = sizes.map((one) => ({ value: String(one), name: words.batch(one) }));
  return [
    select({ id: "checkpoint", label: words.checkpoint, value: chosen.id, options: policies }),
    { kind: "side", parts: [[lines("cosine", chosen, drawn)], [lines("snr", chosen, drawn)]] },
    select({
      id: "size",
      label: words.size,
      value: String(size),
      options: batches,
      testId: "gradient-size",
    }),
    { ...textBlock(words.tableNote, "note", "gradient-table"), title: words.table(size) },
    table(chosen, rows, at, drawn),
    textBlock(words.counts(chosen.n), "note"),
    { kind: "group", title: words.how, folded: true, parts: () => provenance(chosen) },
  ];
}

const select = (choice: Omit<FigureChoice, "look">) =>
  ({ kind: "choices", choices: [{ look: "select", ...choice }] }) as const;

function lines(
  of: "cosine" | "snr",
  { sizes, n }: FigureCheckpoint,
  rows: readonly Alike[],
): LinesBlock {
  return {
    kind: "lines",
    id: `gradient-${of}`,
    title: words[of],
    hint: words.hints[of],
    unit: "number",
    xName: words.episodes,
    xDomain: [sizes[0]! / 1.3, sizes.at(-1)! * 1.3],
    steps: sizes,
    lines: rows.map((row): CurveParts => {
      const band = row[of].flatMap(([y, low, high], i) =>
        y === null || low === null || high === null ? [] : [{ x: sizes[i]!, y, low, high }],
      );
      return {
        id: row.name,
        name: row.titles.join(", "),
        x: band.map(({ x }) => x),
        y: band.map(({ y }) => y),
        n: band.map(() => n.blocks),
        band,
        bars: true,
      };
    }),
  };
}

function table(
  { against, sizes }: FigureCheckpoint,
  rows: readonly Alike[],
  at: number,
  drawn: readonly Alike[],
): GridBlock {
  const names = drawn.map(({ name }) => name);
  const toggled = (name: string) =>
    names.includes(name) ? names.filter((one) => one !== name) : [...names, name];
  const heads = [words.cosine, words.difference(against), words.snr, words.limit];
  return {
    kind: "grid",
    id: "gradient-rows",
    label: words.table(sizes[at]!),
    rowHead: { name: words.row },
    columns: heads.map((name) => ({ name, unit: "number" })),
    count: rows.length,
    current: -1,
    row: (place) => {
      const { name, titles, ceiling, cosine, difference, snr, limit } = rows[place]!;
      const title = titles.join(", ");
      const isOn = names.includes(name);
      return {
        id: name,
        name: ceiling ? `${title} (${words.ceiling})` : title,
        check: {
          says: words.draw(title),
          by: { choose: { drawn: toggled(name).join(",") } },
          isOn,
          disabled: names.length >= MOST_LINES && !isOn,
        },
        cells: [
          estimateText(cosine[at]!, fixed),
          difference ? estimateText(difference[at]!, fixed) : null,
          estimateText(snr[at]!, fine),
          estimateText(limit[at]!, fixed),
        ],
      };
    },
  };
}

const fixed = (x: number) => formatFixed(x, 2);
const fine = (x: number) => formatFixed(x, Math.abs(x) < 0.1 ? 3 : 2);

/** "0.42 (0.38 to 0.46)"; null where it is undefined. */
function estimateText(
  [value, low, high]: FigureEstimate,
  format: (x: number) => string,
): string | null {
  if (value === null) return null;
  if (low === null || high === null) return format(value);
  return `${format(value)} (${format(low)} to ${format(high)})`;
}

function provenance(checkpoint: FigureCheckpoint): Figure {
  const { group, branches, machine, commands, referenceNoise } = checkpoint;
  const noise = estimateText(referenceNoise, formatPercent) ?? "–";
  return [
    ...words.explain.map((sentence) => textBlock(sentence)),
    textBlock(`${words.batches(group, branches)} ${words.noise(noise)}`),
    textBlock(`${words.machine}: ${machine}`),
    ...commands.map((command) => ({ ...textBlock(`${words.command}: `), command })),
  ];
}
