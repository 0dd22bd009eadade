/** UI texts and numbers of the machine page. */
import { formatDuration, formatNumber } from "../../numeric/format.ts";
import type { SelfCheck } from "../../engine/selfCheck.ts";
import type { EngineFacts } from "../../runtime/machineReport.ts";

export const words = {
  title: "This machine",
  intro: "Turnbook trains in your browser: with what, and how fast.",
  summary: "In short",
  verdict: {
    gpu: (adapter: string) =>
      `GPU found${adapter === "" ? "" : ` (${adapter})`}; running on WebGPU.`,
    noGpu: (on: string) => `No GPU found; running on ${on}.`,
    wrongGpu: (on: string) => `This GPU computes incorrectly; running on ${on}.`,
    unusedGpu: (on: string) => `The GPU could not be used; running on ${on}.`,
    runs: { wasm: "WebAssembly", cpu: "plain JavaScript" } as Record<string, string>,
    takes: "Whole runs:",
    sameNumbers: "Same numbers on every computer, to the last bit.",
  },
  details: "Engines, checks and hardware",
  unknown: "Checking this machine …",
  takes: "With the automatic backend, runs use",
  nothing: "No engine here can run a model.",
  measureFirst: "How long runs take here: press Measure.",
  engines: "Engines",
  enginesNote:
    "Each engine runs a tiny model. The referee, TensorFlow.js in plain JavaScript, runs it too, and both are compared. A GPU's kernels are also run one by one. One that disagrees is not used. Checked once per device; this browser keeps the result.",
  engine: "Engine",
  result: "Result",
  worst: "Worst deviation",
  compared: "Quantity",
  item: "Number",
  deviation: "Deviation",
  allowed: "Allowed",
  milliseconds: "Time",
  itemsNote:
    "Deviation: the largest difference; of tokens, how many differ. Gradients are relative to a tensor's largest entry. Weights are relative to the update's length. Times are per call.",
  speed: "Speed",
  speedNote: "Measures training and sampling on each engine, in about",
  measure: "Measure",
  measuring: "Measuring …",
  again: "Check again",
  checking: "Checking …",
  copy: "Copy as text",
  copied: "Copied. Paste it into a bug report.",
  notCopied: "The browser did not allow copying. Here is the text:",
  busy: "A run is training. Pause or reset it to measure.",
  notMeasured: "Not measured yet.",
  model: "Model",
  training: "Training",
  decoding: "Sampling",
  memory: "Memory",
  leftOut: "Not measured:",
  expect: "Expected times",
  estimated: "Estimates for two cores without a GPU. Measure for your own.",
  wholeRun: "Whole run",
  preset: "Preset",
  oneMethod: "An iteration of one method",
  allMethods: "Of all its methods",
  formulaNote:
    "Upper bound: all turns, longest answers, an idle computer. Evaluations come on top.",
  computer: "The computer",
  browser: "Browser",
  cores: "Processor cores",
  ram: "Memory",
  adapter: "Graphics adapter",
  lowPower: "Of two graphics cards, ask for the one that saves power",
  adapterNote: "The browser or system may give the other. Runs take it at their next start.",
  features: "WebGPU features",
  noFeatures: "none that Turnbook can use",
  limits: "WebGPU limits",
  unreported: "not reported by the browser",
  back: "Back to the notebook",
  problem: "This page could not finish",
  retry: "Try again",
} as const;

export const STATES: Record<EngineFacts["state"], { sign: string; text: string; tone: string }> = {
  waiting: { sign: "", text: "not checked yet", tone: "note" },
  checking: { sign: "", text: "checking …", tone: "note" },
  ready: { sign: "✓", text: "correct", tone: "good" },
  referee: { sign: "", text: "the referee", tone: "" },
  unchecked: { sign: "!", text: "starts, but could not be checked", tone: "bad" },
  refused: { sign: "✗", text: "incorrect: not used", tone: "bad" },
  absent: { sign: "–", text: "does not start here", tone: "note" },
};

export const ITEMS: Record<SelfCheck["items"][number]["name"], string> = {
  logprob: "log-probability of tokens",
  entropy: "entropy",
  value: "value of prefixes",
  logits: "logits",
  "greedy tokens": "most likely tokens",
  "sampled tokens": "drawn tokens",
  "sampler log-prob": "log-probability of both",
  gradients: "gradients, every tensor",
  "gradient norm": "norm of the gradients",
  "updated weights": "weights after an update",
  "single kernels": "every kernel alone",
};

/** The largest deviation as a share of the tolerance; tokens, none of which may differ, count as 0 or all. */
function worstShare({ items }: SelfCheck): number {
  const share = ({ deviation, allowed }: SelfCheck["items"][number]) =>
    allowed > 0 ? deviation / allowed : deviation > 0 ? Infinity : 0;
  return items.map(share).reduce((a, b) => Math.max(a, b), 0);
}

/** "at most 3 % of tolerance". */
export function worstWords(check: SelfCheck): string {
  const share = worstShare(check);
  if (share > 1) return "above tolerance";
  const percent = share < 0.01 ? "under 1" : formatNumber(Math.ceil(share * 100)).split(".")[0]!;
  return `${percent}\u00a0% of tolerance`;
}

/** "4.5e−7", "0" or "not finite". */
export function deviationWords(deviation: number): string {
  if (deviation === 0) return "0";
  if (!Number.isFinite(deviation)) return "not finite";
  return Number.isInteger(deviation)
    ? String(deviation)
    : deviation.toExponential(1).replace("-", "−");
}

/** Powers of 1000, as for disks; integers from 10 on. */
export function bytesWords(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let [size, unit] = [bytes, 0];
  for (; size >= 1000 && unit < units.length - 1; unit++) size /= 1000;
  return `${size >= 10 || unit === 0 ? Math.round(size) : size.toFixed(1)}\u00a0${units[unit]}`;
}

/** 12 300 as "12,300": rates are compared by size. */
export function rateWords(perSecond: number): string {
  const digits = Math.max(0, Math.floor(Math.log10(Math.max(1, perSecond))) - 1);
  const rounded = Math.round(perSecond / 10 ** digits) * 10 ** digits;
  return `${rounded.toLocaleString("en")}/s`;
}

export function secondsWords(seconds: number): string {
  return seconds < 10 ? `${seconds.toFixed(1)}\u00a0s` : formatDuration(seconds);
}

export const msWords = (milliseconds: number) =>
  `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)}\u00a0ms`;
