/** A session whose runs come one after the other: each begins anew, or where a kept one stands. */
import { isRunOver, type ExperimentStore } from "../../../../store/experimentState.ts";
import type { ResumedRun } from "../../../../store/resumedRun.ts";
import type { RunKeeper } from "../../../../store/runKeeper.ts";
import type { Session } from "../../../../store/sessionApi.ts";
import type { SweepHandle } from "../../../../store/sweepRuns.ts";

interface Parts {
  session: Session;
  store: ExperimentStore;
  /** Null: nothing is kept. */
  keeper: RunKeeper | null;
  /** Whether finished runs would be lost with the page. */
  isLost: () => boolean;
}

export function sweepSession({
  session,
  store,
  keeper,
  isLost,
}: Parts): Omit<SweepHandle, "id" | "store"> {
  let next: ResumedRun | null = null;
  const toggleRun = () => {
    const run = next;
    if (!run || !isRunOver(store.getState().state)) return session.toggleRun();
    next = null;
    session.resume(run);
  };
  return {
    takeUp: (run) => {
      next?.release();
      next = run;
    },
    settle: async () => {
      await keeper?.flush();
      return store.getState().notKept === null;
    },
    session: Object.create(session, {
      toggleRun: { value: toggleRun },
      atRisk: { get: () => session.atRisk },
      lostWithPage: { get: () => session.lostWithPage || isLost() },
    }) as Session,
  };
}
