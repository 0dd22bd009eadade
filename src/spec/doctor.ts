/** The spec's section on the collapse doctor: what it watches, and what it may do. */
import { whole, z } from "./zod.ts";

export const doctorSchema = z.strictObject({
  /** Whether the run is watched for collapses; a finding becomes an event of the log. */
  on: z.boolean(),
  /** Whether a collapse pauses the run. */
  pause: z.boolean(),
  /** Iterations between two cross-scorings (template collapse); 0: none. */
  crossScoreEvery: whole(0, 100_000),
  /** Number of prompts that are cross-scored, each with every other's response. */
  crossScorePrompts: whole(2, 64),
  /** Iterations between the checkpoints held in case of a collapse, if pausing is on; 0: none. */
  keepEvery: whole(0, 100_000),
});

/** The default of a spec without the field: watched, never paused. Cross-scoring then costs about 1 % of a run. */
export const DOCTOR_DEFAULTS: z.infer<typeof doctorSchema> = {
  on: true,
  pause: false,
  crossScoreEvery: 5,
  crossScorePrompts: 16,
  keepEvery: 5,
};
