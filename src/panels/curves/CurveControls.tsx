/** How the curves are drawn: x, smoothing, scale, seeds, baseline, zoom, methods. */
import type { ReactNode } from "react";
import {
  setCurves,
  toggled,
  type CurveAxis,
  type IntervalKind,
  type Seeds,
} from "../../store/curvesView.ts";
import { useExperiment } from "../../store/hooks.ts";
import { formatX } from "./axes.ts";
import { titleOf } from "../../reading/titles.ts";
import { algorithmsOf, linesOf, type CurveJob } from "./lines.ts";
import { curveMoves, type CurveMove } from "./moves.ts";
import { words } from "./words.ts";

export function CurveControls({ job }: { job: CurveJob }) {
  const { store } = useExperiment();
  const { axis, smoothing, log, trim, seeds, interval } = job.settings;
  const set = (changes: Parameters<typeof setCurves>[1]) => setCurves(store, changes);
  return (
    <div className="toolbar curve-controls" role="group" aria-label={words.controls}>
      <Choice
        words={words.axis}
        value={axis}
        onChange={(value: CurveAxis) => set({ axis: value })}
        testId="curves-axis"
      />
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
      <Baseline job={job} />
      <div className="curve-methods" role="group" aria-label={words.heights}>
        <label className="check" title={words.log.hint}>
          <input
            type="checkbox"
            checked={log}
            data-testid="curves-log"
            onChange={({ target }) => set({ log: target.checked })}
          />
          {words.log.label}
        </label>
        <label className="check" title={words.trim.hint}>
          <input
            type="checkbox"
            checked={trim}
            data-testid="curves-trim"
            onChange={({ target }) => set({ trim: target.checked })}
          />
          {words.trim.label}
        </label>
      </div>
      {job.runs.length > 1 && (
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
              value={seeds === "iqm" && interval === "t" ? "bootstrap" : interval}
              onChange={(value: IntervalKind) => set({ interval: value })}
              without={seeds === "iqm" ? "t" : undefined}
              testId="curves-interval"
            />
          )}
        </>
      )}
      <Zoom job={job} />
      <Methods job={job} />
    </div>
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
  const lines = linesOf(job);
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
        <button
          key={move}
          type="button"
          aria-label={label}
          title={label}
          aria-disabled={off(move)}
          data-testid={`curves-${move}`}
          onClick={() => !off(move) && store.setState(curveMoves[move])}
        >
          {sign}
        </button>
      ))}
      <span className="note" data-testid="curves-domain">
        {domain && words.zoom.now(place(domain[0]), place(domain[1]))}
      </span>
    </div>
  );
}

function Methods({ job: { runs, settings } }: { job: CurveJob }) {
  const { store } = useExperiment();
  const names = algorithmsOf(runs);
  if (names.length < 2) return null;
  const toggle = (name: string) =>
    setCurves(store, { hidden: toggled(store.getState().curves.hidden, name) });
  return (
    <div className="curve-methods" role="group" aria-label={words.methods}>
      {names.map((name) => (
        <label key={name} className="check">
          <input
            type="checkbox"
            checked={!settings.hidden.includes(name)}
            onChange={() => toggle(name)}
          />
          {titleOf(name)}
        </label>
      ))}
    </div>
  );
}
