/** Settings that may change at some iteration. */
import { real, whole, z } from "./zod.ts";

/** null leaves a setting unchanged. */
export const scheduleSchema = z.strictObject({
  /** First iteration with the new settings. */
  from: whole(1, 1000000),
  actorLr: real(0, 1).nullable().default(null),
  maxGradNorm: real(0, 1e6).nullable().default(null),
  epochs: whole(1, 100).nullable().default(null),
  entropyCoef: real(0, 10).nullable().default(null),
  criticLr: real(0, 1).nullable().default(null),
  temperature: real(0.01, 10).nullable().default(null),
});
export type Schedule = z.infer<typeof scheduleSchema>;
