/** Long work in pieces, so that the page can respond in between. */

/** Milliseconds of work between two yields. */
const SLICE = 12;

/** To be awaited often: yields to the event loop if the last yield was long ago. */
export function slices(): () => Promise<void> | undefined {
  let end = performance.now() + SLICE;
  return () => {
    if (performance.now() < end) return undefined;
    return new Promise((resolve) =>
      setTimeout(() => {
        end = performance.now() + SLICE;
        resolve();
      }),
    );
  };
}
