/** Long work in pieces, so that the page answers input in between. */

/** Milliseconds of work between two chances. */
const SLICE = 12;

/** To be awaited often: waits a turn of the event loop where the last one is long ago. */
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
