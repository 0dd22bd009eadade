/**
 * Set-up of the unit tests: after each, what a chart has put off to a timer of 0 is done. A worker goes through several
 * files; where the next one puts its own clock in place, a timer asked for there would never come, and the page's one
 * queue of redraws would wait for it for ever.
 */
import { afterEach, vi } from "vitest";

/** A redraw may ask for one more. */
const ROUNDS = 3;

// eslint-disable-next-line no-restricted-syntax -- Vitest loads a set-up file anew for every test file
afterEach(async () => {
  if (typeof document === "undefined" || vi.isFakeTimers()) return;
  for (let i = 0; i < ROUNDS; i++) await new Promise((resolve) => setTimeout(resolve, 0));
});
