/** The teacher's window of present mode: notes, the next step, a timer, and control of the projector. */
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type KeyboardEvent as KeyOfPad,
  type PointerEvent,
} from "react";
import { Empty } from "../../ui/Empty.tsx";
import { bookAddressOf } from "../book/bookAddress.ts";
import { Prose } from "../Prose.tsx";
import { isTyping } from "./Projector.tsx";
import {
  openTalk,
  lightStep,
  MIDDLE,
  movedPoint,
  type LightPoint,
  type Saying,
  type Talk,
} from "./talk.ts";
import { fetchTaught, type TaughtLesson, type TaughtStep } from "./teacherNotes.ts";
import "./teacher.css";
import { Button } from "../../ui/Button.tsx";
import { teacherWords as words } from "./words.ts";

/** @param id of the projector's window. */
export function TeacherWindow({ id }: { id: string }) {
  const [name] = useState(() => {
    const address = bookAddressOf(location.hash);
    return address.kind === "served" ? address.name : "";
  });
  const [lesson, setLesson] = useState<TaughtLesson | "failed" | null>(null);
  useEffect(() => {
    document.getElementById("frame")?.remove();
    let current = true;
    fetchTaught(name).then(
      (taught) => current && setLesson(taught),
      () => current && setLesson("failed"),
    );
    return () => void (current = false);
  }, [name]);
  if (lesson === null) return null;
  if (lesson === "failed") return <Empty>{words.failed}</Empty>;
  return <Teaching {...{ id, name, lesson }} />;
}

interface ProjectorState {
  isConnected: boolean;
  isFrozen: boolean;
  light: LightPoint | null;
}

interface Taught extends ProjectorState {
  at: number;
  /** The step that the projector has frozen. */
  held: number;
  go: (to: number) => void;
  freeze: (isFrozen: boolean) => void;
  shine: (light: LightPoint | null) => void;
}

/** Sends the teacher's actions, and follows the projector's window. */
function useTaught(id: string, name: string, steps: number): Taught {
  const [at, setAt] = useState(0);
  const [held, setHeld] = useState(0);
  const [now, setNow] = useState<ProjectorState>({
    isConnected: false,
    isFrozen: false,
    light: null,
  });
  const talk = useRef<Talk | null>(null);
  const hear = useEffectEvent((what: Saying) => {
    if (what.kind === "bye") setNow((last) => ({ ...last, isConnected: false, isFrozen: false }));
    if (what.kind !== "at" || what.lesson !== name) return;
    const { step, isFrozen, light } = what;
    if (!now.isConnected || !isFrozen) setHeld(step);
    setAt(Math.min(step, steps - 1));
    setNow({ isConnected: true, isFrozen, light });
  });
  useEffect(() => {
    const line = openTalk(id, (what) => hear(what));
    talk.current = line;
    line.say({ kind: "hello" });
    return () => line.end();
  }, [id]);
  const say = (what: Saying) => talk.current?.say(what);
  return {
    ...now,
    at,
    held,
    go: (to) => {
      const step = Math.min(steps - 1, Math.max(0, to));
      setAt(step);
      say({ kind: "go", step });
    },
    freeze: (isFrozen) => say({ kind: "freeze", isFrozen }),
    shine: (light) => {
      setNow((last) => ({ ...last, light }));
      say({ kind: "light", light });
    },
  };
}

function Teaching({ id, name, lesson }: { id: string; name: string; lesson: TaughtLesson }) {
  const { title, steps, minutes, hasNotes } = lesson;
  const taught = useTaught(id, name, steps.length);
  const { at } = taught;
  useTeacherKeys(taught);
  const step = steps[at]!;
  return (
    <main className="teacher" data-testid="teacher" data-step={at + 1}>
      <header>
        <h1>{words.title(title)}</h1>
        <p className="note" role="status" data-testid="teacher-state">
          {taught.isConnected ? words.connected : words.waiting}{" "}
          {taught.isFrozen && words.frozen(taught.held + 1)}
        </p>
        <TeacherTimer minutes={minutes} until={(minutes * (at + 1)) / steps.length} />
      </header>
      <section className="teacher-notes" aria-label={words.notes}>
        <p className="note">
          {words.now}: {words.place(at + 1, steps.length)}
        </p>
        <h2>{titleOf(step)}</h2>
        <div data-testid="teacher-notes">
          {step.notes === "" ? (
            <Empty>{hasNotes ? words.noNotes : words.noFile}</Empty>
          ) : (
            <Prose key={at} markdown={step.notes} />
          )}
        </div>
      </section>
      <Beside next={steps[at + 1]} {...taught} />
    </main>
  );
}

const titleOf = ({ kind, title }: TaughtStep) => (kind === null ? title : `${kind}: ${title}`);

function Beside({ next, ...taught }: Taught & { next: TaughtStep | undefined }) {
  const { at, go, isFrozen, freeze, light, shine } = taught;
  return (
    <section className="teacher-beside" aria-label={words.next}>
      <p className="note">{words.next}</p>
      <p className="teacher-next" data-testid="teacher-then">
        {next ? titleOf(next) : words.last}
      </p>
      <div className="buttons">
        <Button disabled={at === 0} data-testid="teacher-back" onClick={() => go(at - 1)}>
          ← {words.back}
        </Button>
        <Button
          look="primary"
          disabled={!next}
          data-testid="teacher-next"
          onClick={() => go(at + 1)}
        >
          {words.forward} →
        </Button>
      </div>
      <div className="buttons">
        <Button
          aria-pressed={isFrozen}
          data-testid="teacher-freeze"
          onClick={() => freeze(!isFrozen)}
        >
          {isFrozen ? words.unfreeze : words.freeze} <kbd aria-hidden="true">F</kbd>
        </Button>
      </div>
      <SpotlightPad light={light} onMove={shine} />
    </section>
  );
}

const BY: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  PageDown: 1,
  ArrowLeft: -1,
  PageUp: -1,
};

function useTeacherKeys({ at, go, isFrozen, freeze }: Taught): void {
  const hear = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, defaultPrevented, target } = event;
    if (ctrlKey || metaKey || altKey || defaultPrevented || isTyping(target)) return;
    const by = BY[key];
    if (by !== undefined) go(at + by);
    else if (key.toLowerCase() === "f") freeze(!isFrozen);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => hear(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}

interface PadProps {
  /** Null: it is off. */
  light: LightPoint | null;
  onMove: (light: LightPoint | null) => void;
}

/** A small picture of the projector's window, over which the spotlight is moved. */
function SpotlightPad({ light, onMove }: PadProps) {
  const point = ({ currentTarget, clientX, clientY }: PointerEvent<Element>) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    onMove(movedPoint({ x: 0, y: 0 }, (clientX - left) / width, (clientY - top) / height));
  };
  const key = (event: KeyOfPad) => {
    const by = lightStep(event.key);
    if (!by) return;
    event.preventDefault();
    onMove(movedPoint(light ?? MIDDLE, by.dx, by.dy));
  };
  return (
    <>
      <Button
        aria-pressed={light !== null}
        data-testid="teacher-light"
        onClick={() => onMove(light === null ? MIDDLE : null)}
      >
        {words.light}
      </Button>
      {light && (
        <Button
          className="teacher-pad"
          aria-label={words.pad}
          data-testid="teacher-pad"
          onPointerMove={point}
          onKeyDown={key}
        >
          <svg viewBox="0 0 160 90" preserveAspectRatio="none" aria-hidden="true">
            <ellipse cx={160 * light.x} cy={90 * light.y} rx={15} ry={15} />
          </svg>
        </Button>
      )}
    </>
  );
}

interface TimerProps {
  minutes: number;
  /** Minutes after the start at which this step should end. */
  until: number;
}

/** How long the lesson has been running, and how long it may. */
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

/** Minutes and seconds, as 7:05. @param elapsed in milliseconds */
export function formatClock(elapsed: number): string {
  const seconds = Math.floor(elapsed / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
