/** An input cell: code that names it runs again when it is moved. */
import { useStore } from "zustand";
import { readFields } from "../../../notebook/cellFields.ts";
import { inputValue } from "../../../notebook/cells/input.ts";
import type { InputValue } from "../../../notebook/cells/kind.ts";
import { Field } from "../../../ui/Field.tsx";
import { Slider } from "../../../ui/Slider.tsx";
import { useBook } from "../useBook.ts";
import type { ContentProps } from "./screen.ts";

export function InputCell({ cell: { id, body } }: ContentProps) {
  const { inputs } = useBook();
  const moved = useStore(inputs, (state) => state.moved[id]);
  const fields = readFields("input", body).value;
  if (!fields) return null;
  const { kind, min, max, step, options } = fields;
  const label = fields.label || id;
  const value = inputValue(fields, moved);
  const testId = `input-${id}`;
  const set = (now: InputValue) =>
    inputs.setState((state) => ({ moved: { ...state.moved, [id]: now } }));
  if (kind === "slider")
    return (
      <Slider
        range={{ label, low: min, high: max, step }}
        value={Number(value)}
        testId={testId}
        onChange={set}
      />
    );
  return (
    <Field label={label} problem={undefined}>
      {(control) =>
        kind === "text" ? (
          <input
            {...control}
            data-testid={testId}
            value={value}
            onChange={({ target }) => set(target.value)}
          />
        ) : (
          <select
            {...control}
            data-testid={testId}
            value={options.indexOf(value)}
            onChange={({ target }) => set(options[Number(target.value)]!)}
          >
            {options.map((one, i) => (
              <option key={i} value={i}>
                {one}
              </option>
            ))}
          </select>
        )
      }
    </Field>
  );
}
