/** Names that a cell lists, as boxes: the notebook's experiments, or the metrics that have curves. */
import { DEFAULT_METRICS, namedMetrics } from "../../panels/curves/metrics.ts";
import { CheckBoxes } from "../../ui/Field.tsx";
import type { FieldPartProps } from "./LabelledField.tsx";
import { words as all } from "./words.ts";

const words = all.form;

export function ExperimentBoxes(props: FieldPartProps) {
  const known = [...props.experiments.keys()].map((id) => [id, id] as const);
  const standard = known.map(([id]) => id);
  return <Boxes {...props} known={known} standard={standard} />;
}

export function MetricBoxes(props: FieldPartProps) {
  // Their ids and titles are the same in every environment.
  const known = Object.values(namedMetrics("")).map(({ id, title }) => [id, title] as const);
  return <Boxes {...props} known={known} standard={DEFAULT_METRICS[standardOf(props)]} />;
}

const standardOf = ({ type }: FieldPartProps) => (type === "compare" ? "compare" : "curves");

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

/** A list, or words with commas between them. */
function namesIn(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : String(value).split(",");
  return list.map((one) => String(one).trim()).filter((one) => one !== "");
}
