/** UI texts for a link with expected results. */
import { plural } from "../../numeric/counted.ts";
import { TOLERANCE } from "../../reading/fingerprintCurves.ts";

const SHARE = `${100 * TOLERANCE} %`;

const NUMBERS = ["No", "One", "Two", "Three", "Four", "Five", "Six"];

export const words = {
  title: "Shared run",
  link: "Shared link",
  facts: (preset: string, seed: number, iterations: number, engine: string) =>
    `${preset}, seed ${seed}, ${iterations} iterations, ${engine}`,
  engines: { wasm: "WebAssembly", webgpu: "WebGPU", cpu: "CPU", auto: "any engine" } as Record<
    string,
    string
  >,
  fingerprint: (digits: string) => `fingerprint ${digits}`,
  heading: (methods: number, environment: string) =>
    `${NUMBERS[methods] ?? methods} ${plural(methods, "method")} on ${environment}`,
  before: "Someone sent you this run. Run it here, and see whether you get the same numbers.",
  after: "You ran someone’s run on this computer.",
  withCurves: "Their curves are the pale bands; yours are the lines.",
  copyProof: "Copy proof",
  copied: "Copied.",
  notCopied: "The browser did not allow copying.",
  proof: (title: string, text: string, engine: string, chain: string, link: string) =>
    `${title}. ${text}\nComputed with ${engine}\nFingerprint ${chain}\n${link}`,
  change: "Change something and rerun",
  what: "What differs?",
  theirs: "Use the link’s settings",
  run: "Run",
  other:
    "Not compared: the settings are not the link’s. Its numbers belong to its own settings only.",
  otherTitle: "Other settings than the link’s",
  rounds: "Not compared",
  roundsText:
    "This engine gives slightly different numbers each time, and the link has no curves to compare.",
  differsFrom: (iteration: number) => `Yellow: the numbers differ from iteration ${iteration} on.`,
  training: "While training",
  sender: "sender",
  you: "you",
  method: "Method",
  senderColumn: "Sender",
  youColumn: "You",
  difference: "Difference",
  at: (iteration: number) => `At iteration ${iteration}`,
  notYet: "not yet",
  none: "–",
  verdicts: "The three verdicts",
  exact: "Reproduced exactly",
  exactHint: "Every event has the same hash. WebAssembly promises this on every computer.",
  tolerated: "Same within tolerance",
  toleratedHint: `Another device rounds differently. No point of a curve is further from the sender’s than ${SHARE} of the metric’s range; single samples may be.`,
  diverged: "Diverged at iteration N",
  divergedHint: "The runs part at iteration N. You see where, and which setting or engine differs.",
} as const;
