/** Where a run's time goes: per phase, per iteration, per token; and the memory it holds. */
import { memo, useMemo } from "react";
import { curveFrom } from "../../charts/curve.ts";
import { formatNumber } from "../../numeric/format.ts";
import { IterationChart } from "../../charts/IterationChart.tsx";
import { NumbersTable } from "../../charts/NumbersTable.tsx";
import { lineStyles } from "../../charts/palette.ts";
import { useRedraw } from "../../charts/redrawQueue.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperimentState } from "../../store/hooks.ts";
import { xDomain } from "../../reading/xDomain.ts";
import { titleOf } from "../../reading/titles.ts";
import { PanelFrame } from "../shared/PanelFrame.tsx";
import { usePanelSetting } from "../shared/usePanelSetting.ts";
import { speed } from "./manifest.ts";
import { numberCell, describeMethod, duration, mebibytes } from "./describe.ts";
import { speedModel, type SpeedModel } from "./model.ts";
import type { IterationSpeed } from "./timing.ts";
import { Totals } from "./Totals.tsx";
import { words } from "./words.ts";
import { Empty } from "../../ui/Empty.tsx";
import { InlineField } from "../../ui/Field.tsx";

const selectView = (state: ExperimentState) => state.view;

type SpeedQuantity = keyof typeof words.quantities;
const QUANTITIES = Object.keys(words.quantities) as SpeedQuantity[];

const READ: Record<SpeedQuantity, (speed: IterationSpeed) => number | null> = {
  seconds: ({ seconds }) => seconds,
  tokens: ({ tokens }) => tokens,
  episodes: ({ episodes }) => episodes,
  memory: ({ bytes }) => (bytes === null ? null : mebibytes(bytes)),
  dispatches: ({ dispatches }) => dispatches,
};

export function SpeedPanel() {
  const view = useExperimentState(selectView);
  const { ref, shown } = useRedraw(view, view.log);
  const model = useMemo(() => speedModel(shown), [shown]);
  return (
    <PanelFrame panel={speed} about={words.about} className="speed">
      <div ref={ref}>
        {model.methods.length === 0 ? (
          <Empty>{words.empty}</Empty>
        ) : model.phases.length === 0 && model.seconds === 0 ? (
          <Empty>{words.none}</Empty>
        ) : (
          <Speeds model={model} />
        )}
      </div>
    </PanelFrame>
  );
}

const Speeds = memo(function Speeds({ model }: { model: SpeedModel }) {
  const { methods, phases, wall, seconds, dispatches } = model;
  return (
    <>
      <ul className="speed-summary" data-testid="speed-summary">
        {methods.map((method) => (
          <li key={method.algorithm}>{describeMethod(method)}</li>
        ))}
      </ul>
      {wall !== null && <p>{words.wall(duration(wall), duration(seconds))}</p>}
      <Totals methods={methods} phases={phases} />
      <OverIterations model={model} />
      {!dispatches && <p className="note">{words.dispatchesAbsent}</p>}
      <Tables model={model} />
    </>
  );
});

const MOST_POINTS = 120;

function OverIterations({ model: { view, methods, dispatches } }: { model: SpeedModel }) {
  const [wanted, setQuantity] = usePanelSetting(speed, "quantity");
  // A link may ask for what this run's log does not count.
  const quantity = wanted === "dispatches" && !dispatches ? "seconds" : wanted;
  const curves = useMemo(() => {
    const styles = lineStyles(view.log.algorithms);
    return methods.map(({ algorithm: id, iterations }) => {
      const x = iterations.map(({ iteration }) => iteration);
      const y = iterations.map(READ[quantity]);
      return curveFrom({ id, name: titleOf(id), ...styles.get(id)!, x, y }, MOST_POINTS);
    });
  }, [view, methods, quantity]);
  const { name, hint } = words.quantities[quantity];
  const known = curves.some(({ y }) => y.some((value) => value !== null));
  return (
    <section aria-label={words.over}>
      <InlineField label={words.show}>
        <select
          data-testid="speed-quantity"
          value={quantity}
          onChange={({ target }) => setQuantity(target.value as SpeedQuantity)}
        >
          {QUANTITIES.filter((one) => dispatches || one !== "dispatches").map((one) => (
            <option key={one} value={one}>
              {words.quantities[one].name}
            </option>
          ))}
        </select>
      </InlineField>
      {known ? (
        <IterationChart
          title={name}
          hint={hint}
          curves={curves}
          xName={words.xName}
          testId="speed-chart"
          xDomain={xDomain(view.log)}
          format={formatNumber}
        />
      ) : (
        <Empty>{words.noNumbers}</Empty>
      )}
    </section>
  );
}

/** Iterations of a method that the table lists. */
const LISTED = 200;

function Tables({ model: { methods, phases, dispatches } }: { model: SpeedModel }) {
  const names = phases.map((name) => words.phase(name));
  const orders = dispatches ? [words.heads.dispatches] : [];
  const rows = methods.flatMap(({ algorithm, iterations }) =>
    iterations
      .slice(-LISTED)
      .map((one) => [
        `${titleOf(algorithm)}, ${one.iteration}`,
        ...phases.map((name) => numberCell(one.phases[name])),
        ...[one.seconds, one.episodes, one.tokens, READ.memory(one)].map(numberCell),
        ...orders.map(() => numberCell(one.dispatches)),
      ]),
  );
  return (
    <>
      <NumbersTable
        title={words.totalsTable}
        testId="speed-totals-table"
        head={[words.method, words.iterations, ...names, words.heads.rest[0]]}
        rows={methods.map((method) => [
          titleOf(method.algorithm),
          String(method.iterations.length),
          ...phases.map((name) => numberCell(method.phases[name])),
          numberCell(method.seconds),
        ])}
      />
      <NumbersTable
        title={words.table}
        testId="speed-table"
        rows={rows}
        note={words.tableNote(LISTED)}
        head={[...words.heads.fixed, ...names, ...words.heads.rest, ...orders]}
      />
    </>
  );
}
