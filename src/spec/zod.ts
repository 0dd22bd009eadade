/** Validation. In a page, the content security policy forbids compiling code from text, so it is disabled. */
import { config, z } from "zod";

// Trying it would be reported as a violation; workers have no such policy, and read large files
// faster with it.
if (typeof document !== "undefined") config({ jitless: true });

export { z };

export const whole = (min: number, max: number) => z.int().min(min).max(max);
export const real = (min: number, max: number) => z.number().min(min).max(max);
