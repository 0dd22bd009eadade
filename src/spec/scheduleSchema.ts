/** Settings that may change at some iteration. */
import { real, whole, z } from "./zod.ts";

/** null leaves a setting unchanged. */
export const scheduleSchema = z.strictObject({
  /** First iteration with the new settings. */
  from: whole(1, 1000000),
  actorLr: z._default(z.nullable(real(0, 1)), null),
  maxGradNorm: z._default(z.nullable(real(0, 1e6)), null),
  epochs: z._default(z.nullable(whole(1, 100)), null),
  entropyCoef: z._default(z.nullable(real(0, 10)), null),
  criticLr: z._default(z.nullable(real(0, 1)), null),
  temperature: z._default(z.nullable(real(0.01, 10)), null),
});
export type Schedule = z.infer<typeof scheduleSchema>;
