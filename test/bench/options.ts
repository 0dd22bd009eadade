/** What the command line asks for. */
import { parseArgs } from "node:util";
import { CONTENDERS, NAMES, type ContenderName } from "./contender.ts";
import type { Effort } from "./measure.ts";
import { WORKLOADS, type Workload } from "./workload.ts";

export interface BenchOptions {
  node: boolean;
  /** Our JavaScript alone, on a device that computes nothing. */
  javascript: boolean;
  /** What it costs to cut plans into several submits. */
  cuts: boolean;
  /** What each kernel takes. */
  kernels: boolean;
  models: KernelModel[];
  /** Of --node. */
  engines: ("webgpu" | "wasm")[];
  only: ContenderName[];
  workloads: Workload[];
  repeats: number;
  quick: boolean;
  /** Theoretical peak of the GPU in TFLOPS, or null. */
  peak: number | null;
  json: string | null;
  markdown: string | null;
}

/** Sizes of models whose kernels are timed. */
const KERNEL_MODELS = ["nano", "micro", "bench", "24m", "qwen2.5-0.5b"] as const;
export type KernelModel = (typeof KERNEL_MODELS)[number];

export const effortOf = ({ repeats, quick }: BenchOptions): Effort => ({
  repeats,
  seconds: quick ? 3 : 30,
});

export const USAGE = `npm run bench -- [options]
  measures the engines and their peers in one Chromium, one after the other
  --only NAME[,NAME]      ${NAMES.join(", ")}; or webgpu, wasm for a family
  --workload NAME[,NAME]  ${WORKLOADS.join(", ")}
  --repeats N             timed repetitions (default 9; fewer where a step takes long)
  --quick                 3 repetitions, and one where a step takes long
  --json FILE             everything measured
  --markdown FILE         the tables and their conditions
npm run bench -- --node [--engine webgpu|wasm] [--only NAME[,NAME]] [--peak TFLOPS] [--repeats N] [--json FILE] [--markdown FILE]
  measures our engines, and the peers' WebGPU, in Node, WebGPU through Dawn, with the fraction of a GPU's theoretical peak
npm run bench -- --kernels [--model NAME[,NAME]] [--repeats N] [--json FILE] [--markdown FILE]
  times each kernel of a training step and of decoding in Node, by the device's own clock
  --model NAME[,NAME]     ${KERNEL_MODELS.join(", ")} (default: bench)
npm run bench -- --javascript [--workload NAME[,NAME]] [--repeats N] [--json FILE] [--markdown FILE]
  measures our WebGPU engine's JavaScript in Node, on a device that computes nothing
npm run bench -- --cuts [--workload NAME[,NAME]] [--repeats N] [--json FILE] [--markdown FILE]
  measures training steps in Node, cut into submits of bounded work and whole, by turns`;

/** @throws Error in one sentence, naming the option, the value and what is allowed. */
export function parseOptions(args: string[]): BenchOptions | "help" {
  const { values } = parseArgs({ args, options: OPTIONS, strict: true });
  if (values.help) return "help";
  const quick = values.quick ?? false;
  const engine = values.engine;
  return {
    node: values.node ?? false,
    javascript: values.javascript ?? false,
    cuts: values.cuts ?? false,
    kernels: values.kernels ?? false,
    models: list("model", values.model ?? "bench", KERNEL_MODELS),
    engines: engine === undefined ? ["webgpu", "wasm"] : [oneOf("engine", engine, ENGINES)],
    only: values.only === undefined ? [...NAMES] : namesOf(values.only),
    workloads: list("workload", values.workload, WORKLOADS),
    repeats: positive("repeats", values.repeats, true) ?? (quick ? 3 : 9),
    quick,
    peak: positive("peak", values.peak, false),
    json: values.json ?? null,
    markdown: values.markdown ?? null,
  };
}

const ENGINES = ["webgpu", "wasm"] as const;

const OPTIONS = {
  help: { type: "boolean", short: "h" },
  node: { type: "boolean" },
  javascript: { type: "boolean" },
  cuts: { type: "boolean" },
  kernels: { type: "boolean" },
  model: { type: "string" },
  engine: { type: "string" },
  only: { type: "string" },
  workload: { type: "string" },
  repeats: { type: "string" },
  quick: { type: "boolean" },
  peak: { type: "string" },
  json: { type: "string" },
  markdown: { type: "string" },
} as const;

function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found !== undefined) return found;
  throw new Error(`--${option} ${value}: allowed are ${allowed.join(", ")}`);
}

function list<T extends string>(option: string, text: string | undefined, allowed: readonly T[]) {
  if (text === undefined) return [...allowed];
  return text.split(",").map((value) => oneOf(option, value, allowed));
}

/** A family's name selects all of it. In the order of the table. */
function namesOf(text: string): ContenderName[] {
  const asked = list("only", text, [...NAMES, ...ENGINES]);
  return NAMES.filter((name) => asked.includes(name) || asked.includes(CONTENDERS[name].family));
}

function positive(option: string, text: string | undefined, whole: boolean): number | null {
  if (text === undefined) return null;
  const value = Number(text);
  if (value > 0 && Number.isFinite(value) && (!whole || Number.isInteger(value))) return value;
  throw new Error(`--${option} ${text}: a positive ${whole ? "whole " : ""}number is needed`);
}
