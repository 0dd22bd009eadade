/** Where a run's time goes: per phase, per iteration, per token; and the memory it holds. */
import { formatDuration, formatNumber, formatPercent } from "../../numeric/format.ts";
import { titleOf } from "../../reading/titles.ts";
import { xDomain } from "../../reading/xDomain.ts";
import { figurePanel, textBlock, type Block, type Column } from "../figure.ts";
import { speed } from "./manifest.ts";
import { speedModel, type IterationSpeed, type MethodSpeed, type SpeedModel } from "./timing.ts";
import { words } from "./words.ts";

type SpeedQuantity = keyof typeof words.quantities;
const QUANTITIES = Object.keys(words.quantities) as SpeedQuantity[];

const READ: Record<SpeedQuantity, (speed: IterationSpeed) => number | null> = {
  seconds: ({ seconds }) => seconds,
  tokens: ({ tokens }) => tokens,
  episodes: ({ episodes }) => episodes,
  memory: ({ bytes }) => (bytes === null ? null : mebibytes(bytes)),
  dispatches: ({ dispatches }) => dispatches,
};

export const speedPanel = figurePanel({
  panel: speed,
  about: words.about,
  figure: ({ view, set: { quantity } }) => {
    const model = speedModel(view);
    const { methods, phases, wall, seconds, dispatches } = model;
    if (methods.length === 0) return [textBlock(words.empty, "empty")];
    if (phases.length === 0 && seconds === 0) return [textBlock(words.none, "empty")];
    return [
      { kind: "list", id: "speed-summary", items: methods.map(describeMethod) },
      textBlock(wall === null ? "" : words.wall(duration(wall), duration(seconds))),
      totals(model),
      // A link may ask for a quantity that this run's log does not count.
      ...overIterations(model, quantity === "dispatches" && !dispatches ? "seconds" : quantity),
      textBlock(dispatches ? "" : words.dispatchesAbsent, "note"),
      ...tables(model),
    ];
  },
});

function totals({ methods, phases }: SpeedModel): Block {
  const partsOf = (method: MethodSpeed) => phases.map((name) => method.phases[name] ?? 0);
  const share = (part: number, i: number, { seconds }: MethodSpeed) =>
    words.share(words.phase(phases[i]!), formatPercent(part / (seconds || 1)));
  return {
    kind: "stacks",
    title: words.totals,
    hint: words.totalsHint,
    parts: phases.map(words.phase),
    rows: methods.map((method) => ({
      name: titleOf(method.algorithm),
      values: partsOf(method),
      total: duration(method.seconds),
      whole: method.seconds,
      says: partsOf(method)
        .map((part, i) => share(part, i, method))
        .join(", "),
    })),
  };
}

function overIterations({ view, methods, dispatches }: SpeedModel, shown: SpeedQuantity): Block[] {
  const { name, hint } = words.quantities[shown];
  const lines = methods.map(({ algorithm, iterations }) => ({
    id: algorithm,
    name: titleOf(algorithm),
    x: iterations.map(({ iteration }) => iteration),
    y: iterations.map(READ[shown]),
  }));
  const known = lines.some(({ y }) => y.some((value) => value !== null));
  return [
    {
      kind: "choices",
      choices: [
        {
          id: "quantity",
          label: words.show,
          look: "select",
          testId: "speed-quantity",
          value: shown,
          options: QUANTITIES.filter((one) => dispatches || one !== "dispatches").map((value) => ({
            value,
            name: words.quantities[value].name,
          })),
        },
      ],
    },
    known
      ? {
          kind: "lines",
          id: "speed-chart",
          title: name,
          hint,
          unit: "number",
          xName: words.xName,
          xDomain: xDomain(view.log),
          lines,
        }
      : textBlock(words.noNumbers, "empty"),
  ];
}

/** Limit of iterations of a method that the table lists. */
const LISTED = 200;

const numbers = (names: readonly string[]): Column[] =>
  names.map((name) => ({ name, unit: "number" }));

function tables({ methods, phases, dispatches }: SpeedModel): Block[] {
  const names = phases.map(words.phase);
  const counted = dispatches ? [words.heads.dispatches] : [];
  return [
    {
      kind: "numbers",
      id: "speed-totals-table",
      title: words.totalsTable,
      columns: [
        { name: words.method },
        { name: words.iterations, unit: "count" },
        ...numbers([...names, words.heads.rest[0]]),
      ],
      rows: () =>
        methods.map((method) => [
          titleOf(method.algorithm),
          method.iterations.length,
          ...phases.map((name) => method.phases[name] ?? null),
          method.seconds,
        ]),
    },
    {
      kind: "numbers",
      id: "speed-table",
      title: words.table,
      note: words.tableNote(LISTED),
      columns: [
        { name: `${words.method}, ${words.xName}` },
        ...numbers([...names, ...words.heads.rest, ...counted]),
      ],
      rows: () =>
        methods.flatMap(({ algorithm, iterations }) =>
          iterations
            .slice(-LISTED)
            .map((one) => [
              `${titleOf(algorithm)}, ${one.iteration}`,
              ...phases.map((name) => one.phases[name] ?? null),
              one.seconds,
              one.episodes,
              one.tokens,
              READ.memory(one),
              ...counted.map(() => one.dispatches),
            ]),
        ),
    },
  ];
}

const MIB = 1024 * 1024;

function mebibytes(bytes: number): number {
  return bytes / MIB;
}

/** Short times in seconds with decimals, long ones coarsely. */
function duration(seconds: number): string {
  return seconds < 60 ? `${formatNumber(seconds)} s` : formatDuration(seconds);
}

export function describeMethod({ algorithm, iterations, phases, seconds, bytes }: MethodSpeed) {
  const title = titleOf(algorithm);
  const each = duration(seconds / iterations.length);
  const shares = Object.entries(phases)
    .map(([name, part]) => words.share(words.phase(name), formatPercent(part / seconds)))
    .join(", ");
  const parts = [
    words.summary(title, iterations.length, duration(seconds), each),
    ...(shares === "" || seconds === 0 ? [] : [words.shares(shares)]),
    ...(bytes === null ? [] : [words.memory(`${formatNumber(mebibytes(bytes))} MiB`)]),
  ];
  return parts.join(" ");
}
