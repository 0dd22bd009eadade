/** How the curves are drawn: x, smoothing, scale, seeds, baseline, zoom; and the methods, which are the charts' legend. */
import type { ReactNode } from "react";
import { formatX } from "../../figures/curves/axes.ts";
import { methodsIn, methodToggled, runLines, type CurveJob } from "../../figures/curves/lines.ts";
import { curveMoves, type CurveMove } from "../../figures/curves/moves.ts";
import { words } from "../../figures/curves/words.ts";
import { setCurves } from "../../store/curvesView.ts";
import { useExperiment } from "../../store/hooks.ts";
import { Button } from "../../ui/Button.tsx";
import { CheckBox, Select } from "../../ui/Field.tsx";
import { MethodChoice } from "./MethodChoice.tsx";

export function CurveControls({ job }: { job: CurveJob }) {
  const { store } = useExperiment();
  const { settings, runs } = job;
  const { axis, smoothing } = settings;
  const set = (changes: Parameters<typeof setCurves>[1]) => setCurves(store, changes);
  return (
    <details className="curve-settings" data-testid="curves-settings">
      <summary>{words.controls}</summary>
      <div className="toolbar curve-controls" role="group" aria-label={words.controls}>
        <Choice
          {...words.axis}
          value={axis}
          onChange={(value) => set({ axis: value })}
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
        <Baseline job={job} onChange={(baseline) => set({ baseline })} />
        <div className="curve-methods" role="group" aria-label={words.heights}>
          {(["log", "trim"] as const).map((name) => (
            <CheckBox
              key={name}
              title={words[name].hint}
              checked={settings[name]}
              data-testid={`curves-${name}`}
              onChange={({ target }) => set({ [name]: target.checked })}
            >
              {words[name].label}
            </CheckBox>
          ))}
        </div>
        {runs.length > 1 && <Together {...settings} set={set} />}
        <Zoom job={job} />
      </div>
      <p className="note">{words.keys}</p>
    </details>
  );
}

/** The line that others are compared with. */
function Baseline({ job, onChange }: { job: CurveJob; onChange: (id: string | null) => void }) {
  const lines = runLines(job);
  const names = Object.fromEntries(lines.map(({ id, name }) => [id, name]));
  return (
    <Choice
      {...words.baseline}
      options={{ "": words.baseline.none, ...names }}
      value={lines.find(({ weight }) => weight === "baseline")?.id ?? ""}
      onChange={(value) => onChange(value || null)}
      testId="curves-baseline"
    />
  );
}

type TogetherProps = Pick<CurveJob["settings"], "seeds" | "interval"> & {
  set: (changes: Parameters<typeof setCurves>[1]) => void;
};

/** How runs that differ only in the seed are one line. */
function Together({ seeds, interval, set }: TogetherProps) {
  const isIqm = seeds === "iqm";
  return (
    <>
      <Choice
        {...words.seeds}
        value={seeds}
        onChange={(value) => set({ seeds: value })}
        testId="curves-seeds"
      />
      {seeds !== "each" && (
        <Choice
          {...words.interval}
          value={isIqm && interval === "t" ? "bootstrap" : interval}
          onChange={(value) => set({ interval: value })}
          without={isIqm ? "t" : undefined}
          testId="curves-interval"
        />
      )}
    </>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  hint: string;
  options: Record<T, string>;
  value: T;
  onChange: (value: T) => void;
  testId: string;
  /** An option that cannot be chosen now. */
  without?: T | undefined;
}

function Choice<T extends string>(props: ChoiceProps<T>) {
  const { label, hint, options, value, onChange, testId, without } = props;
  return (
    <label title={hint}>
      {label}
      <Select
        value={value}
        data-testid={testId}
        options={Object.entries<string>(options).map(([id, name]) => [id, name, id === without])}
        onPick={onChange}
      />
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
    <div className="curve-row" role="group" aria-label={words.zoom.label}>
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
  const names = methodsIn(runs.map(({ log }) => log));
  const toggle = (name: string) =>
    setCurves(store, { hidden: methodToggled(names, store.getState().curves.hidden, name) });
  return <MethodChoice names={names} hidden={settings.hidden} onToggle={toggle} />;
}
