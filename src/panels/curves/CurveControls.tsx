/** How the curves are drawn: x, smoothing, scale, seeds, baseline, zoom; and the methods, which are the charts' legend. */
import type { ReactNode } from "react";
import {
  setCurves,
  type CurveAxis,
  type IntervalKind,
  type Seeds,
} from "../../store/curvesView.ts";
import { useExperiment } from "../../store/hooks.ts";
import { formatX } from "./axes.ts";
import { algorithmsOf, methodToggled, runLines, type CurveJob } from "./lines.ts";
import { MethodChoice } from "./MethodChoice.tsx";
import { curveMoves, type CurveMove } from "./moves.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";
import { CheckBox } from "../../ui/Field.tsx";

export function CurveControls({ job }: { job: CurveJob }) {
  const { store } = useExperiment();
  const { axis, smoothing, log, trim, seeds, interval } = job.settings;
  const set: SetCurves = (changes) => setCurves(store, changes);
  return (
    <details className="curve-settings" data-testid="curves-settings">
      <summary>{words.controls}</summary>
      <div className="toolbar curve-controls" role="group" aria-label={words.controls}>
        <Choice
          words={words.axis}
          value={axis}
          onChange={(value: CurveAxis) => set({ axis: value })}
          testId="curves-axis"
        />
        <Smoothing smoothing={smoothing} set={set} />
        <Baseline job={job} />
        <Heights log={log} trim={trim} set={set} />
        {job.runs.length > 1 && <Together seeds={seeds} interval={interval} set={set} />}
        <Zoom job={job} />
      </div>
      <p className="note">{words.keys}</p>
    </details>
  );
}

type SetCurves = (changes: Parameters<typeof setCurves>[1]) => void;
type ControlSettings<Name extends keyof CurveJob["settings"]> = Pick<CurveJob["settings"], Name> & {
  set: SetCurves;
};

function Smoothing({ smoothing, set }: ControlSettings<"smoothing">) {
  return (
    <label title={words.smoothing.hint}>
      <span>
        {words.smoothing.label}{" "}
        <output>{smoothing === 0 ? words.smoothing.off : smoothing.toFixed(2)}</output>
      </span>
      <input
        type="range"
        min={0}
        max={0.99}
        step={0.01}
        value={smoothing}
        data-testid="curves-smoothing"
        onChange={({ target }) => set({ smoothing: Number(target.value) })}
      />
    </label>
  );
}

/** What heights mean, and which of them count. */
function Heights({ log, trim, set }: ControlSettings<"log" | "trim">) {
  return (
    <div className="curve-methods" role="group" aria-label={words.heights}>
      <HeightCheck
        words={words.log}
        checked={log}
        set={(to) => set({ log: to })}
        testId="curves-log"
      />
      <HeightCheck
        words={words.trim}
        checked={trim}
        set={(to) => set({ trim: to })}
        testId="curves-trim"
      />
    </div>
  );
}

interface HeightCheckProps {
  words: { label: string; hint: string };
  checked: boolean;
  set: (to: boolean) => void;
  testId: string;
}

function HeightCheck({ words, checked, set, testId }: HeightCheckProps) {
  return (
    <CheckBox
      title={words.hint}
      checked={checked}
      data-testid={testId}
      onChange={({ target }) => set(target.checked)}
    >
      {words.label}
    </CheckBox>
  );
}

/** How runs that differ only in the seed are one line. */
function Together({ seeds, interval, set }: ControlSettings<"seeds" | "interval">) {
  const iqm = seeds === "iqm";
  return (
    <>
      <Choice
        words={words.seeds}
        value={seeds}
        onChange={(value: Seeds) => set({ seeds: value })}
        testId="curves-seeds"
      />
      {seeds !== "each" && (
        <Choice
          words={words.interval}
          value={iqm && interval === "t" ? "bootstrap" : interval}
          onChange={(value: IntervalKind) => set({ interval: value })}
          without={iqm ? "t" : undefined}
          testId="curves-interval"
        />
      )}
    </>
  );
}

interface ChoiceProps<T extends string> {
  words: { label: string; hint: string; options: Record<T, string> };
  value: T;
  onChange: (value: T) => void;
  testId: string;
  /** An option that cannot be chosen now. */
  without?: T | undefined;
}

function Choice<T extends string>({ words, value, onChange, testId, without }: ChoiceProps<T>) {
  const options = Object.entries(words.options) as [T, string][];
  return (
    <label title={words.hint}>
      {words.label}
      <select
        value={value}
        data-testid={testId}
        onChange={({ target }) => onChange(target.value as T)}
      >
        {options.map(([id, name]) => (
          <option key={id} value={id} disabled={id === without}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Baseline({ job }: { job: CurveJob }) {
  const { store } = useExperiment();
  const lines = runLines(job);
  const chosen = lines.find(({ weight }) => weight === "baseline");
  return (
    <label title={words.baseline.hint}>
      {words.baseline.label}
      <select
        value={chosen?.id ?? ""}
        data-testid="curves-baseline"
        onChange={({ target }) => setCurves(store, { baseline: target.value || null })}
      >
        <option value="">{words.baseline.none}</option>
        {lines.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

const ZOOM_BUTTONS: { move: CurveMove; label: string; sign: ReactNode }[] = [
  { move: "zoomIn", label: words.zoom.in, sign: "+" },
  { move: "zoomOut", label: words.zoom.out, sign: "−" },
  { move: "panEarlier", label: words.zoom.earlier, sign: "<" },
  { move: "panLater", label: words.zoom.later, sign: ">" },
  { move: "zoomReset", label: words.zoom.reset, sign: words.zoom.reset },
];

function Zoom({ job }: { job: CurveJob }) {
  const { store } = useExperiment();
  const { domain, axis } = job.settings;
  const place = (x: number) => formatX(axis, x);
  const off = (move: CurveMove) => domain === null && move !== "zoomIn";
  return (
    <div className="curve-zoom" role="group" aria-label={words.zoom.label}>
      <span className="note">{words.zoom.label}</span>
      {ZOOM_BUTTONS.map(({ move, label, sign }) => (
        <Button
          key={move}
          aria-label={label}
          title={label}
          aria-disabled={off(move)}
          data-testid={`curves-${move}`}
          onClick={() => !off(move) && store.setState(curveMoves[move])}
        >
          {sign}
        </Button>
      ))}
      <span className="note" data-testid="curves-domain">
        {domain && words.zoom.now(place(domain[0]), place(domain[1]))}
      </span>
    </div>
  );
}

/** The legend of all charts; a method that is switched off is not drawn. */
export function CurveMethods({ job: { runs, settings } }: { job: CurveJob }) {
  const { store } = useExperiment();
  const names = algorithmsOf(runs);
  const toggle = (name: string) =>
    setCurves(store, { hidden: methodToggled(names, store.getState().curves.hidden, name) });
  return <MethodChoice names={names} hidden={settings.hidden} onToggle={toggle} />;
}
