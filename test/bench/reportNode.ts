/** The tables of a run in Node, in Markdown. */
import { sayConditions } from "./conditions.ts";
import { CONTENDERS } from "./contender.ts";
import { hostVerdict, hostWords } from "./hostTime.ts";
import type { BackendRun, NodeMeasurement, NodeRun } from "./inNode.ts";
import { LAYOUTS } from "./matmulRate.ts";
import { median } from "./measure.ts";
import { line, number, percent, spread } from "./numbers.ts";
import { flopsOf, tokensOf, type Workload } from "./workload.ts";

/** `peak` in TFLOPS. */
export function reportNode({ conditions, runs }: NodeRun, peak: number | null): string {
  const parts = runs.flatMap((run) => [
    ...[products(run, peak), checkLine(run)],
    ...[table(run, peak), remarks(run)],
  ]);
  return [`${sayConditions(conditions)}.`, ...parts].join("\n\n") + "\n";
}

function products({ backend, adapter, rate, products }: BackendRun, peak: number | null): string {
  const share = peak ? `, ${percent(rate / (1e12 * peak))} of ${peak} TFLOPS` : "";
  const lines = LAYOUTS.map((layout) => {
    const rates = products
      .filter((product) => product.layout === layout)
      .map(({ size, rate }) => `${size.join("x")} ${number(rate / 1e9)}`);
    return `- ${layout}: ${rates.join(", ")}`;
  });
  const whole = `bare product ${number(rate / 1e9)} GFLOP/s over a training step${share}`;
  return `**${backend}** (${adapter}), ${whole}; by M x N x K in GFLOP/s:\n\n${lines.join("\n")}`;
}

/** What a reader waits for before anything is computed. */
function checkLine({ checks }: BackendRun): string {
  const { start, first, again, referee } = checks;
  return (
    `Self-check: ${number(first)} ms at the first start on the device (${number(start)} ms by itself), ` +
    `${number(again)} ms for another engine beside it; the referee's numbers ${number(referee)} ms, once.`
  );
}

interface Column {
  title: string;
  text(row: NodeMeasurement, speeds: Speeds): string;
}

/** FLOP per second. */
interface Speeds {
  row: number;
  bare: number;
  peak: number;
  /** Milliseconds of the fastest peer at this workload, NaN without one. */
  best: number;
}

const COLUMNS: Column[] = [
  { title: "", text: ({ contender }) => CONTENDERS[contender].label },
  { title: "", text: ({ workload }) => workload },
  { title: "ms (range)", text: ({ cell: { wall } }) => number(median(wall)) + spread(wall) },
  { title: "n", text: ({ cell }) => String(cell.wall.length) },
  {
    title: "tokens/s",
    text: ({ workload, cell }) => number((1000 * tokensOf(workload)) / median(cell.wall)),
  },
  {
    title: "times best peer",
    text: ({ cell }, { best }) => number(median(cell.wall) / best),
  },
  { title: "of the bare rate", text: (_, { row, bare }) => percent(row / bare) },
  { title: "of the peak", text: (_, { row, peak }) => percent(row / peak) },
  { title: "JS ms", text: ({ cell }) => hostWords(cell) },
  { title: "forward ms", text: ({ forward }) => number(median(forward)) },
  { title: "prompt ms", text: ({ cell }) => number(median(cell.promptMs)) },
  { title: "dispatches", text: ({ cell }) => number(cell.counts.dispatches) },
  { title: "submits", text: ({ cell }) => number(cell.counts.submits) },
  { title: "MB", text: ({ cell }) => number(cell.bytes / 1e6) },
];

function table({ rate, measurements }: BackendRun, peak: number | null): string {
  const rows = measurements.map((m) => {
    const row = (1000 * flopsOf(m.workload)) / median(m.cell.wall);
    const best = bestPeer(measurements, m.workload);
    const speeds = { row, bare: rate, peak: peak ? 1e12 * peak : NaN, best };
    return line(COLUMNS.map(({ text }) => text(m, speeds)));
  });
  return [line(COLUMNS.map(({ title }) => title)), line(COLUMNS.map(() => "---")), ...rows].join(
    "\n",
  );
}

function bestPeer(measurements: NodeMeasurement[], workload: Workload): number {
  const peers = measurements.filter(
    (m) => m.workload === workload && !CONTENDERS[m.contender].ours,
  );
  return peers.length > 0 ? Math.min(...peers.map(({ cell }) => median(cell.wall))) : NaN;
}

function remarks({ measurements, failures }: BackendRun): string {
  const lines = measurements.map((m) => {
    const { workload, contender, about, agreement } = m;
    const verdict = agreement.ok ? "" : "DISAGREES: ";
    return `- ${workload}, ${CONTENDERS[contender].label} (${about}): ${verdict}${agreement.words}`;
  });
  const measured = measurements.filter(({ contender }) => contender === "turnbook-webgpu");
  const verdicts = measured.map(({ workload, cell }) => hostVerdict(workload, cell));
  return [...lines, ...failures.map((one) => `- FAILED: ${one}`), ...verdicts].join("\n");
}
