/** Words of the speed panel. */
import { counted } from "../../numeric/counted.ts";
/** Phases that our own runs time; others have their own names. */
const PHASES: Record<string, string> = {
  rollout: "rollout",
  update: "update",
  fit: "fitting Q",
};

export const words = {
  about: "Time of each phase: playing episodes (rollout), learning from them (update).",
  empty: "No iterations yet. Press Run; times appear after each iteration.",
  none: "This log has no clock readings, so times are unknown.",
  phase: (name: string) => PHASES[name] ?? name,
  summary: (title: string, iterations: number, seconds: string, perIteration: string) =>
    `${title}: ${counted(iterations, "iteration")} in ${seconds} of compute, ${perIteration} each.`,
  shares: (parts: string) => `Of that ${parts}.`,
  share: (phase: string, percent: string) => `${phase} ${percent}`,
  memory: (bytes: string) => `The engine holds up to ${bytes}.`,
  wall: (duration: string, at: string) =>
    `The run took ${duration} of wall time (evaluations, checkpoints and pauses included); iterations took ${at} of it.`,
  dispatchesAbsent:
    "This log has no dispatch counts (kernels sent to the graphics card): only the webgpu engine reports them.",
  totals: "Time per phase",
  totalsHint: "one bar per method, all iterations together",
  over: "By iteration",
  show: "Show",
  quantities: {
    seconds: { name: "Seconds per iteration", hint: "the method's compute time: lower is faster" },
    tokens: {
      name: "Tokens per second",
      hint: "generated tokens per second of rollout",
    },
    episodes: { name: "Episodes per second", hint: "episodes played and trained on" },
    memory: { name: "Memory held, MiB", hint: "engine buffers, including free ones" },
    dispatches: {
      name: "Dispatches per iteration",
      hint: "kernels sent to the graphics card: each has a fixed cost",
    },
  },
  xName: "iteration",
  noNumbers: "Not in the log.",
  table: "Times in numbers",
  tableNote: (n: number) => `The last ${n} iterations.`,
  heads: {
    rest: ["seconds", "episodes/s", "tokens/s", "MiB"],
    dispatches: "dispatches",
  },
  totalsTable: "Totals in numbers",
  method: "method",
  iterations: "iterations",
} as const;
