/** The doctor's word on the run on screen, worked out in pieces short enough not to be felt. */
import { useEffect, useMemo, useState } from "react";
import { LogDoctor, type Diagnosis } from "../../reading/diagnosis.ts";
import type { RunLog, RunView } from "../../reading/log/runLog.ts";

/** Milliseconds of work between two chances for the page to answer input. */
const SLICE = 10;

/** null until the log has been read once. */
export function useDiagnosis({ log, version }: RunView): Diagnosis | null {
  const doctor = useMemo(() => new LogDoctor(log), [log]);
  const [known, setKnown] = useState<{ log: RunLog; diagnosis: Diagnosis } | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const work = () => {
      const done = doctor.advance(performance.now() + SLICE);
      if (done) setKnown({ log, diagnosis: doctor.diagnosis });
      else timer = setTimeout(work);
    };
    timer = setTimeout(work);
    return () => clearTimeout(timer);
  }, [doctor, log, version]);
  return known?.log === log ? known.diagnosis : null;
}
