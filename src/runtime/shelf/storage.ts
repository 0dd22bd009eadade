/** Shared by everything stored in the browser: the time limit, and messages for failures. */

/** Where something was stored: it outlives the page, or not, and why. */
export type Place = { kept: true } | { kept: false; why: string };

/** Milliseconds after which a database that does not answer counts as failed; private windows can be slow. */
const TIME_LIMIT = 3000;

/** @throws Error if the work takes longer than `timeLimit` milliseconds. */
export function inTime<T>(work: Promise<T>, timeLimit = TIME_LIMIT): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    const error = new Error("the browser's storage does not answer");
    timer = setTimeout(() => reject(error), timeLimit);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** By the name of the browser's error. */
const REASONS: Record<string, string> = {
  QuotaExceededError: "the browser's storage is full",
  SecurityError: "the browser forbids storage here",
  InvalidStateError: "the browser forbids storage here",
  VersionError: "a newer version of this page has changed the storage: reload the page",
};

/** Why storage failed, without a full stop. */
export function storageReason(error: unknown): string {
  const { name, message } = error as Error;
  return REASONS[name] ?? message;
}
