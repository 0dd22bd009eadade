/** UI texts of the run bar. */
import { plural } from "../../numeric/counted.ts";

export const words = {
  title: "Run",
  run: "Run",
  pause: "Pause",
  resume: "Resume",
  loading: "Loading …",
  stopping: "Stopping …",
  waits: "Waiting",
  leaveQueue: "Leave the queue",
  /** @param ahead what is training meanwhile */
  queued: (place: number, ahead: string | undefined) => {
    if (place > 1) return `Number ${place} in the queue`;
    return ahead === undefined ? "Next to run" : `Next to run, after ${ahead}`;
  },
  runs: (about: string) => `The buttons run this experiment: ${about}`,
  space: "Space",
  step: "Step",
  stepHint: "Step: one iteration of every method",
  reset: "Reset",
  cancel: "Cancel",
  share: "Share",
  copied: (length: number) => `Link copied: ${length} characters.`,
  notCopied: (length: number) =>
    `The browser did not allow copying. Here is the link, ${length} characters:`,
  withCurves: "With my curves, drawn behind the reader’s",
  qr: "QR code",
  qrLabel: "QR code of the link",
  qrOpening: "Drawing the QR code …",
  qrTooLong: (most: number) => `No QR code: the link is longer than ${most} characters.`,
  iteration: "Iteration",
  of: "of",
  seed: "Seed",
  left: (time: string) => `about ${time} left`,
  /** After their number. */
  findings: (count: number) => plural(count, "finding"),
  finding: (iteration: number, title: string, method: string) =>
    `Iteration ${iteration}: ${title} (${method})`,
  others: (count: number) => `and ${count} more`,
  takes: (time: string) => `about ${time}`,
  fingerprint: (hex: string) => `Fingerprint ${hex}`,
  exact: { everywhere: "bit-exact", device: "bit-exact on this device", no: "not bit-exact" },
  backends: { wasm: "WebAssembly", webgpu: "WebGPU", cpu: "CPU" } as Record<string, string>,
  otherRun: "Another run, recorded",
  otherRunHint: "These numbers are the recorded run's, with other settings",
  origins: {
    none: "Ready",
    recorded: "Recorded run",
    live: "Ready",
    imported: "Imported file",
  },
  states: {
    idle: "Ready",
    loading: "Loading",
    running: "Training",
    paused: "Paused",
    finished: "Finished",
    failed: "Stopped by an error",
  },
} as const;
