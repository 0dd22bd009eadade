/** The opening page's figure: one episode whose turns three methods credit differently, with the true credit, as a file has it. */
import { z } from "../spec/zod.ts";

/** Turns of the episode, so that it fills a strip and can be read at a glance. */
export const OPENING_TURNS = { fewest: 3, most: 6 };

/** Tokens of a turn at most. */
const MOST_TOKENS = 64;

const numbers = z.array(z.number()).max(OPENING_TURNS.most);

const schema = z.object({
  format: z.literal("turnbook-opening-1"),
  /** What made it. */
  command: z.string(),
  /** Of the recorded run. */
  fingerprint: z.string(),
  rule: z.string(),
  /** Episodes that the rule chose from. */
  candidates: z.number(),
  /** Where it stands in the run; the episode is its place among those of the iteration. */
  at: z.object({ algorithm: z.string(), iteration: z.number(), episode: z.number() }),
  group: z.number(),
  reward: z.number(),
  turns: z
    .array(
      z.object({
        observation: z.string(),
        text: z.string(),
        actions: z.array(z.string()),
        reward: z.number(),
      }),
    )
    .min(OPENING_TURNS.fewest)
    .max(OPENING_TURNS.most),
  finalObservation: z.string(),
  /** By method, turn by turn; as the method's training would use it. */
  credits: z.record(z.string(), numbers),
  /** By method whose tokens differ within a turn: turn by turn, that of each token. Older files have none. */
  tokenCredits: z.record(z.string(), z.array(z.array(z.number()).max(MOST_TOKENS))).optional(),
  truth: z.object({
    advantage: numbers,
    low: numbers,
    high: numbers,
    /** Continuations from each turn. */
    branches: z.number(),
  }),
});

export type Opening = z.infer<typeof schema>;

/** @throws ZodError where the file is no figure of an opening page. */
export function readOpening(text: string): Opening {
  return schema.parse(JSON.parse(text));
}
