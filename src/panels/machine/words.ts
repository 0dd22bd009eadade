/** Words and numbers of the machine page. */
import { formatDuration, formatNumber } from "../../charts/format.ts";
import type { SelfCheck } from "../../engine/selfCheck.ts";
import type { EngineFacts } from "../../runtime/machineReport.ts";

export const words = {
  title: "This machine",
  intro:
    "Turnbook trains its models here, in your browser. This page says what it found to compute with, whether the numbers come out right, and how long a run will take.",
  summary: "In short",
  unknown: "Looking …",
  takes: "With the backend on automatic, runs use",
  nothing: "Nothing here can run a model.",
  measureFirst: "Press Measure to learn how long an iteration takes.",
  engines: "What can compute here",
  enginesNote:
    "An engine is one way of doing the arithmetic. Each computes a tiny model's outputs, gradients, one update and some sampled tokens; so does the referee, TensorFlow.js in plain JavaScript. Who disagrees is not used. Each engine is checked at its first start on a device, and the result is kept in this browser.",
  engine: "Engine",
  result: "Result",
  worst: "Farthest off",
  compared: "What was compared",
  item: "Number",
  deviation: "Off by",
  allowed: "Allowed",
  milliseconds: "Time",
  itemsNote:
    "Log-probabilities, entropies, values and logits: the largest difference. Tokens: how many are not the same. Gradients: the largest difference within a tensor, over the tensor's largest number. Weights: over the length of the update's step. Times are of the call that made the numbers; outputs of one call share it.",
  speed: "How fast it is",
  speedNote:
    "A few training steps and sampled turns of the two models that the presets train, on each engine that may be used. It takes about",
  measure: "Measure",
  measuring: "Measuring …",
  again: "Check again",
  checking: "Checking …",
  copy: "Copy as text",
  copied: "Copied. Paste it into a bug report.",
  notCopied: "The browser did not allow copying. Here is the text:",
  busy: "A run is going on, and both would slow each other down. Pause or reset the run to measure.",
  notMeasured: "Nothing is measured yet.",
  model: "Model",
  training: "Training",
  decoding: "Sampling",
  memory: "Memory",
  leftOut: "Not measured:",
  expect: "What to expect",
  expectNone: "This follows from the measurement above.",
  preset: "Preset",
  oneMethod: "An iteration of one method",
  allMethods: "Of all its methods",
  formulaNote:
    "At most: every episode plays all its turns and gives the longest answer. It holds while nothing else keeps the computer busy; tests on held-out levels come on top.",
  computer: "The computer",
  browser: "Browser",
  cores: "Processor cores",
  ram: "Memory",
  adapter: "Graphics adapter",
  features: "WebGPU features",
  noFeatures: "none of those that Turnbook can use",
  limits: "WebGPU limits",
  untold: "the browser does not say",
  back: "Back to the notebook",
  problem: "This page could not finish",
  retry: "Try again",
} as const;

export const STATES: Record<EngineFacts["state"], { sign: string; text: string; tone: string }> = {
  waiting: { sign: "", text: "not looked at yet", tone: "note" },
  checking: { sign: "", text: "checking …", tone: "note" },
  ready: { sign: "✓", text: "right numbers", tone: "good" },
  referee: { sign: "", text: "the referee", tone: "" },
  unchecked: { sign: "!", text: "starts, but could not be checked", tone: "bad" },
  refused: { sign: "✗", text: "wrong numbers: not used", tone: "bad" },
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
};

/** The largest deviation as a share of what is allowed; tokens, of which none may differ, count as 0 or all. */
export function worstShare({ items }: SelfCheck): number {
  const share = ({ deviation, allowed }: SelfCheck["items"][number]) =>
    allowed > 0 ? deviation / allowed : deviation > 0 ? Infinity : 0;
  return items.map(share).reduce((a, b) => Math.max(a, b), 0);
}

/** "at most 3 % of what is allowed". */
export function worstWords(check: SelfCheck): string {
  const share = worstShare(check);
  if (share > 1) return "more than is allowed";
  const percent = share < 0.01 ? "under 1" : formatNumber(Math.ceil(share * 100)).split(".")[0]!;
  return `${percent}\u00a0% of what is allowed`;
}

/** "4.5e−7", "0" or "not finite". */
export function deviationWords(deviation: number): string {
  if (deviation === 0) return "0";
  if (!Number.isFinite(deviation)) return "not finite";
  return Number.isInteger(deviation)
    ? String(deviation)
    : deviation.toExponential(1).replace("-", "−");
}

/** Powers of 1000, as disks are sold; whole from 10 on. */
export function bytesWords(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let [size, unit] = [bytes, 0];
  for (; size >= 1000 && unit < units.length - 1; unit++) size /= 1000;
  return `${size >= 10 || unit === 0 ? Math.round(size) : size.toFixed(1)}\u00a0${units[unit]}`;
}

/** 12 300 as "12,300": rates are read by their size. */
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
