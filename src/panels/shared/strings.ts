/** UI texts of the panels. */
import { PROMISES } from "../../spec/reproducible.ts";

export const panelWords = {
  turnName: (h: number) => `Turn ${h + 1}`,
  reading: "Reading the episode …",
  terms: "Terms",
  termsOf: (title: string) => `Terms of ${title}`,
  turns: {
    noIteration: "This log has no finished iteration of this method.",
    waiting: (method: string) =>
      method === ""
        ? "Waiting for the first iteration …"
        : `Waiting for the first iteration of ${method} …`,
    method: "Method",
    iteration: "Iteration",
    follow: "Follow latest",
    episode: "Episode",
    previous: "Previous episode",
    next: "Next episode",
    reading: "Reading the episodes of this iteration …",
    watchInShop: "Watch this episode in the shop",
    shopOpening: "Opening the shop …",
  },
  status: {
    titleOf: (experiment: string) => `Status: ${experiment}`,
    engine: "Engine",
    noEngine: "not started; chosen when you press Run",
    chosen: "will start when you press Run",
    reproducible: {
      ...PROMISES,
      no: `${PROMISES.no} Choose WebAssembly for runs that others can verify.`,
    },
    moved: "The engine changed during this run, so the link cannot reproduce it.",
    movedFingerprint: "The engine changed during this run, so the link has no fingerprint.",
    recordedOn: ({ engine, backend, adapter }: Record<"engine" | "backend" | "adapter", string>) =>
      `Recorded with ${engine}, ${backend} (${adapter})`,
    fingerprint: "Fingerprint",
    notCompared: "Copy link includes it, so others can verify their run.",
    unrepeatable: "This engine is not bit-reproducible, so the link has no fingerprint.",
    incomparable:
      "Not checked: this engine is not bit-reproducible. Choose the backend of the shared run.",
  },
} as const;
