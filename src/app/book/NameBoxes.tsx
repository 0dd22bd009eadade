/** Names that a cell lists, as boxes: the notebook's experiments, or the metrics that have curves. */
import { useState } from "react";
import { DEFAULT_METRICS, metricsOf, namedMetrics } from "../../figures/curves/metrics.ts";
import { LINK_METRICS, RUN_METRIC } from "../../spec/linkCurves.ts";
import { CheckBoxes } from "../../ui/Field.tsx";
import { LabelledField, namesIn, textOfField, type FieldPartProps } from "./LabelledField.tsx";
import { words as all } from "./words.ts";

const words = all.form;

export function ExperimentBoxes(props: FieldPartProps) {
  const known = [...props.experiments.keys()].map((id) => [id, id] as const);
  const standard = known.map(([id]) => id);
  return <Boxes {...props} known={known} standard={standard} />;
}

/** Of a comparison. */
export function ComparedMetrics(props: FieldPartProps) {
  return <MetricBoxes {...props} standard="compare" />;
}

interface MetricBoxesProps extends FieldPartProps {
  /** Whose metrics hold where the cell does not say. */
  standard?: keyof typeof DEFAULT_METRICS;
}

export function MetricBoxes({ standard = "curves", ...props }: MetricBoxesProps) {
  const numbers = useSeen(namesIn(props.written[props.name]).filter((id) => RUN_METRIC.test(id)));
  // Their ids and titles are the same in every environment.
  const known = [...Object.values(namedMetrics("")), ...metricsOf(numbers.join(), "")].map(
    ({ id, title }) => [id.replace("|", ":"), title] as const,
  );
  return <Boxes {...props} known={known} standard={DEFAULT_METRICS[standard]} />;
}

/** Names that were listed since the form is open: a box that was unticked can be ticked again. */
function useSeen(listed: readonly string[]): readonly string[] {
  const [seen, setSeen] = useState<readonly string[]>([]);
  const all = [...new Set([...seen, ...listed])];
  if (all.length > seen.length) setSeen(all);
  return all;
}

/** Of a class experiment: one of those that a result code has. */
export function MetricSelect({ name, field, written, problem, change }: FieldPartProps) {
  const value = textOfField(written[name]) || STANDARD_CLASS;
  const titles = namedMetrics("");
  const isKnown = LINK_METRICS.some((id) => id === value);
  return (
    <LabelledField {...{ name, problem }} label={field.label}>
      {(labelled) => (
        <select
          {...labelled}
          value={value}
          onChange={({ target }) => change([{ path: [name], value: target.value }])}
        >
          {!isKnown && <option value={value}>{words.unknown(value)}</option>}
          {LINK_METRICS.map((id) => (
            <option key={id} value={id}>
              {titles[id]?.title ?? id}
            </option>
          ))}
        </select>
      )}
    </LabelledField>
  );
}

/** What a class measures where its cell does not say. */
const STANDARD_CLASS = "heldout";

interface BoxesProps extends FieldPartProps {
  /** Name and what it is called. */
  known: readonly (readonly [name: string, title: string])[];
  /** What holds where the cell does not say. */
  standard: readonly string[];
}

function Boxes({ name, field, written, problem, change, known, standard }: BoxesProps) {
  const listed = written[name] === undefined ? standard : namesIn(written[name]);
  const others = listed.filter((one) => !known.some(([other]) => other === one));
  const boxes = [...known, ...others.map((one) => [one, words.unknown(one)] as const)];
  const toggle = (one: string, on: boolean) => {
    const now = boxes
      .map(([other]) => other)
      .filter((other) => (other === one ? on : listed.includes(other)));
    const isStandard = now.join() === standard.join();
    change([{ path: [name], value: isStandard ? undefined : now }]);
  };
  return (
    <CheckBoxes
      label={field.label}
      problem={problem}
      boxes={boxes.map(([id, title]) => ({ id, title, testId: `cell-${name}-${id}` }))}
      checked={listed}
      onToggle={toggle}
    />
  );
}
