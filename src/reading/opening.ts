/** The opening page's figure as stored in a file: one episode whose turns three methods credit differently, with the true credit. */
import { z } from "../spec/zod.ts";

/** Number of turns of the episode: enough to fill a strip and few enough to read at a glance. */
export const OPENING_TURNS = { fewest: 3, most: 6 };

/** Maximum tokens of a turn. */
const MOST_TOKENS = 64;

const numbers = z.array(z.number()).check(z.maxLength(OPENING_TURNS.most));

const schema = z.object({
  format: z.literal("turnbook-opening-1"),
  /** The command that made it. */
  command: z.string(),
  /** Of the recorded run. */
  fingerprint: z.string(),
  rule: z.string(),
  /** Number of episodes that the rule chose from. */
  candidates: z.number(),
  /** Its position in the run; the episode is its index among those of the iteration. */
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
    .check(z.minLength(OPENING_TURNS.fewest), z.maxLength(OPENING_TURNS.most)),
  finalObservation: z.string(),
  /** By method, turn by turn; as used in the method's training. */
  credits: z.record(z.string(), numbers),
  /** For methods whose tokens differ within a turn: by turn, then by token. Older files have none. */
  tokenCredits: z.optional(
    z.record(z.string(), z.array(z.array(z.number()).check(z.maxLength(MOST_TOKENS)))),
  ),
  truth: z.object({
    advantage: numbers,
    low: numbers,
    high: numbers,
    /** Continuations from each turn. */
    branches: z.number(),
  }),
});

export type Opening = z.infer<typeof schema>;

/** @throws ZodError if the file is not such a figure. */
export function readOpening(text: string): Opening {
  return schema.parse(JSON.parse(text));
}
