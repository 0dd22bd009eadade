/** Time limits for an engine: a driver may hang without an error. */

/** Milliseconds for one part of a check, or one single kernel: the first ones compile. */
export const TIME_LIMIT = 30_000;

/** The same on a software adapter: it compiles on the processor, which may have other work, and is slow without hanging. */
export const SOFTWARE_TIME_LIMIT = 150_000;

/** The engine took too long. */
export class NoAnswer extends Error {}

/** @throws NoAnswer if this takes longer; each partial answer restarts the clock. */
export function within<T>(
  milliseconds: number,
  run: (answered: () => void) => Promise<T>,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  let answered = () => {};
  const late = new Promise<never>((_, reject) => {
    answered = () => {
      clearTimeout(timer);
      const message = `no answer within ${milliseconds / 1000} s`;
      timer = setTimeout(() => reject(new NoAnswer(message)), milliseconds);
    };
    answered();
  });
  return Promise.race([run(answered), late]).finally(() => clearTimeout(timer));
}
