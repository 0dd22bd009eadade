/** Words of the speed panel. */
import { counted } from "../../numeric/counted.ts";
/** Phases that our own runs time; others stand under their own names. */
const PHASES: Record<string, string> = {
  rollout: "rollout",
  update: "update",
  fit: "fitting Q",
};

export const words = {
  about: "Where the time of a run goes: playing episodes (rollout), learning from them (update).",
  empty: "No iterations yet. Press Run; each iteration's times stand here when it is done.",
  none: "This log has no clock readings: it does not say how long anything took.",
  phase: (name: string) => PHASES[name] ?? name,
  summary: (title: string, iterations: number, seconds: string, perIteration: string) =>
    `${title}: ${counted(iterations, "iteration")} in ${seconds} of its own work, ${perIteration} each.`,
  shares: (parts: string) => `Of that ${parts}.`,
  share: (phase: string, percent: string) => `${phase} ${percent}`,
  memory: (bytes: string) => `The engine holds up to ${bytes}.`,
  wall: (duration: string, at: string) =>
    `From the first event to the last the clock went on by ${duration} (evaluations, checkpoints and pauses are in that); iterations took ${at} of it.`,
  dispatchesAbsent:
    "This log counts no dispatches (kernels sent to the graphics card): only the webgpu engine has them to count.",
  totals: "Time per phase",
  totalsHint: "one bar a method, all iterations together",
  over: "Over the iterations",
  show: "Show",
  quantities: {
    seconds: { name: "Seconds per iteration", hint: "the method's own work: lower is faster" },
    tokens: {
      name: "Tokens per second",
      hint: "tokens that the model wrote, per second of rollout",
    },
    episodes: { name: "Episodes per second", hint: "episodes played and learned from" },
    memory: { name: "Memory held, MiB", hint: "buffers of the engine, free ones included" },
    dispatches: {
      name: "Dispatches per iteration",
      hint: "kernels sent to the graphics card: each costs time, however small its work",
    },
  },
  xName: "iteration",
  notTold: "–",
  noNumbers: "The log does not say.",
  table: "Times in numbers",
  tableNote: (n: number) => `The last ${n} iterations.`,
  heads: {
    fixed: ["method, iteration"],
    rest: ["seconds", "episodes/s", "tokens/s", "MiB"],
    dispatches: "dispatches",
  },
  totalsTable: "Totals in numbers",
  total: "all",
  method: "method",
  iterations: "iterations",
} as const;
