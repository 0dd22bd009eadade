/** Distributes jobs to this thread and others, whichever is free. */

/** Jobs a remote has at once: one to run, one to continue with while this thread is busy. */
const AHEAD = 2;

/**
 * Runs jobs 0 .. count-1, each once: `here` one after another, `there` on remote 0 .. remotes-1.
 * Which job runs where depends on timing, so results must not. Rejects with the first failure, once
 * all have stopped.
 */
export async function deal(
  count: number,
  remotes: number,
  here: (job: number) => Promise<void>,
  there: (remote: number, job: number) => Promise<void>,
): Promise<void> {
  const running = new Array<number>(remotes).fill(0);
  const started: Promise<void>[] = [];
  let failed = false;
  let next = 0;
  const start = (remote: number, job: number) => {
    running[remote]!++;
    const done = there(remote, job).finally(() => running[remote]!--);
    done.catch(() => (failed = true));
    started.push(done);
  };
  const fill = (depth: number) => {
    for (let r = 0; r < remotes && next < count; r++) if (running[r]! < depth) start(r, next++);
  };
  try {
    while (next < count && !failed) {
      const mine = next++;
      for (let depth = 1; depth <= AHEAD; depth++) fill(depth);
      await here(mine);
      if (next < count && remotes > 0) await turn();
    }
  } finally {
    await Promise.allSettled(started);
  }
  await Promise.all(started);
}

/** One turn of the event loop, in which messages arrive; timers would add milliseconds. */
function turn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
