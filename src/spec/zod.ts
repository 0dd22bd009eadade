/** Validation. In a page, the content security policy forbids compiling code from text, so it is disabled. */
import * as z from "zod/mini";
import { en } from "zod/locales";

// Trying it would be reported as a violation; workers have no such policy, and read large files
// faster with it.
z.config({ ...en(), ...(typeof document !== "undefined" && { jitless: true }) });

export * as z from "zod/mini";

export const whole = (min: number, max: number) => z.int().check(z.gte(min), z.lte(max));
export const real = (min: number, max: number) => z.number().check(z.gte(min), z.lte(max));
