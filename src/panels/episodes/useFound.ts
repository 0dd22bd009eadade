/** The results of a scan so far, while it continues in slices. */
import { useEffect, useMemo, useState } from "react";
import type { Fork } from "../../store/forkTypes.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { Scan, type SearchHit } from "./scan.ts";

/** Milliseconds of work between two yields to the page. */
const SLICE = 8;
/** Milliseconds between two updates of the results. */
const PUBLISH = 500;

export interface Request {
  log: RunLog;
  algorithm: string;
  iterations: readonly number[];
  query: string;
  /** The fork whose continuations replace the recorded episodes. */
  fork: Fork | null;
}

interface FoundSoFar {
  request: Request;
  found: SearchHit;
  over: boolean;
}

export interface Progress extends FoundSoFar {
  stopped: boolean;
  stop: () => void;
  goOn: () => void;
}

/** Null before anything has been read. */
export function useFound(request: Request): Progress | null {
  const { log, algorithm, iterations, query, fork } = request;
  const scan = useMemo(() => new Scan(log, algorithm, query, fork), [log, algorithm, query, fork]);
  const [shown, setShown] = useState<FoundSoFar | null>(null);
  const [stoppedScan, setStopped] = useState<Scan | null>(null);
  // One iteration is done at once.
  const stopped = stoppedScan === scan && iterations.length > 1;
  useEffect(() => {
    if (stopped) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let published = -Infinity;
    const step = () => {
      const end = performance.now() + SLICE;
      const over = scan.work(iterations, () => performance.now() >= end);
      if (over || performance.now() - published > PUBLISH) {
        published = performance.now();
        setShown({ request, found: scan.found(iterations), over });
      }
      if (!over) timer = setTimeout(step);
    };
    step();
    return () => clearTimeout(timer);
  }, [scan, iterations, request, stopped]);
  return shown && { ...shown, stopped, stop: () => setStopped(scan), goOn: () => setStopped(null) };
}
