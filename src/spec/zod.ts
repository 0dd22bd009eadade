/** Validation. In a page, the content security policy lets nobody compile code from text, so it does not try. */
import { config, z } from "zod";

// Trying it would be reported as a violation; workers have no such policy, and read large files faster so.
if (typeof document !== "undefined") config({ jitless: true });

export { z };

export const whole = (min: number, max: number) => z.int().min(min).max(max);
export const real = (min: number, max: number) => z.number().min(min).max(max);
