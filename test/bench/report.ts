/** Tables in Markdown. */
import { sayConditions } from "./conditions.ts";
import { CONTENDERS, type ContenderName, type Family } from "./contender.ts";
import { hostVerdict, hostWords } from "./hostTime.ts";
import type { BrowserRun, Measurement } from "./inBrowser.ts";
import { median, type Cell } from "./measure.ts";
import { line, number, spread } from "./numbers.ts";
import { flopsOf, tokensOf, WORKLOADS, type Workload } from "./workload.ts";

const TITLES: Record<Workload, string> = {
  "train-128x16": "Training step, T 128, B 16",
  "train-64x4": "Training step, T 64, B 4",
  "decode-64": "Decoding 64 rows after a prompt of 32, per token",
};

/** All tables of a run, its conditions and which targets hold. */
export function reportBrowser(run: BrowserRun): string {
  const parts = [`${conditions(run)}\n`];
  for (const family of ["webgpu", "wasm"] as const) {
    for (const workload of WORKLOADS) {
      const rows = run.measurements.filter(
        (m) => m.workload === workload && CONTENDERS[m.contender].family === family,
      );
      if (rows.length > 0) parts.push(table(family, workload, rows, run.rates[family]));
    }
  }
  return [...parts, verdicts(run.measurements)].filter(Boolean).join("\n");
}

function conditions(run: BrowserRun): string {
  const { machine, chromium } = run;
  const isolated = machine.isolated ? "cross-origin isolated" : "NOT cross-origin isolated";
  const rates = Object.entries(run.rates).map(
    ([family, rate]) => `${family} ${(rate / 1e9).toFixed(1)} GFLOP/s`,
  );
  return [
    `${sayConditions(run.conditions)}.`,
    `Chromium ${chromium}, ${isolated}, WebGPU adapter ${machine.adapter}.`,
    `Our bare product: ${rates.join(", ")}.`,
  ].join("\n");
}

interface Column {
  title: string;
  text(row: Filled, context: Context): string;
}

type Filled = Measurement & { cell: Cell };

interface Context {
  workload: Workload;
  /** Milliseconds of the fastest peer, NaN without one. */
  best: number;
  /** Milliseconds that the step's products take at the bare rate. */
  floor: number;
}

const wallOf = ({ cell }: Filled) => median(cell.wall);
const COMMON: Column[] = [
  { title: "", text: ({ contender }) => CONTENDERS[contender].label },
  { title: "ms (range)", text: (row) => number(wallOf(row)) + spread(row.cell.wall) },
  { title: "n", text: ({ cell }) => String(cell.wall.length) },
  {
    title: "tokens/s",
    text: (row, { workload }) => number((1000 * tokensOf(workload)) / wallOf(row)),
  },
  { title: "times best peer", text: (row, { best }) => number(wallOf(row) / best) },
  { title: "times floor", text: (row, { floor }) => number(wallOf(row) / floor) },
];

const MEMORY: Column = { title: "MB", text: ({ cell }) => number(cell.bytes / 1e6) };

const COLUMNS: Record<Family, Column[]> = {
  webgpu: [
    ...COMMON,
    { title: "JS ms", text: ({ cell }) => hostWords(cell) },
    { title: "dispatches", text: ({ cell }) => number(cell.counts.dispatches) },
    { title: "submits", text: ({ cell }) => number(cell.counts.submits) },
    { title: "new buffers", text: ({ cell }) => number(cell.counts.buffers) },
    { title: "new bind groups", text: ({ cell }) => number(cell.counts.bindGroups) },
    { title: "writes", text: ({ cell }) => number(cell.counts.writes) },
    MEMORY,
  ],
  wasm: [...COMMON, { title: "threads", text: ({ cell }) => String(1 + cell.workers) }, MEMORY],
};

const PROMPT: Column = { title: "prompt ms", text: ({ cell }) => number(median(cell.promptMs)) };

function table(family: Family, workload: Workload, rows: Measurement[], rate?: number): string {
  const columns = [...COLUMNS[family], ...(workload === "decode-64" ? [PROMPT] : [])];
  const filled = rows.filter((row): row is Filled => row.cell !== undefined);
  const peers = filled.filter(({ contender }) => !CONTENDERS[contender].ours).map(wallOf);
  const floor = (1000 * flopsOf(workload)) / (rate ?? NaN);
  const context = { workload, best: peers.length > 0 ? Math.min(...peers) : NaN, floor };
  return [
    `**${TITLES[workload]}, ${family}** (floor ${number(floor)} ms)\n`,
    line(columns.map(({ title }) => title)),
    line(columns.map(() => "---")),
    ...filled.map((row) => line(columns.map(({ text }) => text(row, context)))),
    "",
    ...rows.map(remark),
    "",
  ].join("\n");
}

function remark({ contender, cell, agreement, error }: Measurement): string {
  const { label } = CONTENDERS[contender];
  if (!cell) return `- ${label} FAILED: ${error?.split("\n")[0]}`;
  const verdict = agreement?.ok ? "" : "DISAGREES: ";
  return `- ${label} (${cell.about}): ${verdict}${agreement?.words}; first step ${number(cell.firstMs)} ms`;
}

interface Target {
  words: string;
  workload: Workload;
  ours: ContenderName;
  other: ContenderName;
  /** Ours over the other's, at most. */
  most: number;
}

const LARGE = "train-128x16";

/** What was promised of the engines; see also the counts, which tests assert. */
const TARGETS: Target[] = [
  {
    ...{ words: "webgpu step at most half of jax-js webgpu's", workload: LARGE, most: 1 / 2 },
    ...{ ours: "turnbook-webgpu", other: "jax-webgpu" },
  },
  {
    ...{ words: "webgpu step at most a sixth of tfjs webgpu's", workload: LARGE, most: 1 / 6 },
    ...{ ours: "turnbook-webgpu", other: "tfjs-webgpu" },
  },
  {
    ...{ words: "wasm step at most jax-js wasm's", workload: LARGE, most: 1 },
    ...{ ours: "turnbook-wasm", other: "jax-wasm" },
  },
  {
    ...{
      words: "wasm step with 2 workers at most 0.6 of jax-js wasm's",
      workload: LARGE,
      most: 0.6,
    },
    ...{ ours: "turnbook-wasm-2", other: "jax-wasm" },
  },
  {
    ...{ words: "wasm step at most a tenth of tfjs wasm's", workload: LARGE, most: 1 / 10 },
    ...{ ours: "turnbook-wasm", other: "tfjs-wasm" },
  },
  {
    ...{ words: "webgpu decoding at least 5 times the tuned tfjs's", workload: "decode-64" },
    ...{ ours: "turnbook-webgpu", other: "referee-webgpu", most: 1 / 5 },
  },
];

/** Targets whose two sides were both measured, and our JavaScript time. */
function verdicts(measurements: Measurement[]): string {
  const wall = (name: ContenderName, workload: Workload) => {
    const found = measurements.find((m) => m.contender === name && m.workload === workload);
    return found?.cell ? median(found.cell.wall) : NaN;
  };
  const lines = TARGETS.flatMap(({ words, workload, ours, other, most }) => {
    const ratio = wall(ours, workload) / wall(other, workload);
    if (Number.isNaN(ratio)) return [];
    return [
      `- ${ratio <= most ? "holds" : "MISSED"}: ${words} (${number(1 / ratio)} times faster)`,
    ];
  });
  const ours = measurements.filter(({ contender }) => contender === "turnbook-webgpu");
  for (const { workload, cell } of ours) if (cell) lines.push(hostVerdict(workload, cell));
  return lines.length > 0 ? `**Targets**\n\n${lines.join("\n")}\n` : "";
}
