/** How long the lesson has been running, and how long it may. */
import { useEffect, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { formatClock } from "./clock.ts";
import { teacherWords as words } from "./words.ts";

interface TimerProps {
  minutes: number;
  /** Minutes after the start at which this step should end. */
  until: number;
}

export function TeacherTimer({ minutes, until }: TimerProps) {
  /** Milliseconds before the last start, and when that was; null while it is stopped. */
  const [before, setBefore] = useState(0);
  const [since, setSince] = useState<number | null>(null);
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (since === null) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [since]);
  const elapsed = before + (since === null ? 0 : Math.max(0, now - since));
  const toggle = () => {
    const moment = Date.now();
    if (since !== null) setBefore(before + moment - since);
    setNow(moment);
    setSince(since === null ? moment : null);
  };
  const reset = () => {
    setBefore(0);
    setSince(null);
  };
  return (
    <div className="teacher-timer" role="group" aria-label={words.timer}>
      <output data-testid="teacher-clock">{formatClock(elapsed)}</output>
      <span className="note">{words.planned(minutes, Math.round(until))}</span>
      <Button data-testid="teacher-start" onClick={toggle}>
        {since === null ? words.start : words.pause}
      </Button>
      <Button look="quiet" onClick={reset}>
        {words.reset}
      </Button>
    </div>
  );
}
