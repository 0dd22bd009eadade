/** The choices of a figure. */
import type { FigureChoice, ChoicesBlock } from "../figures/figure.ts";
import { CheckBox, InlineField } from "../ui/Field.tsx";

export type ChooseOption = (id: string, value: string) => void;

export function Choices({
  block,
  panel,
  choose,
}: {
  block: ChoicesBlock;
  panel: string;
  choose: ChooseOption;
}) {
  return (
    <div className="figure-choices">
      {block.choices.map((choice) => (
        <Control key={choice.id} {...choice} panel={panel} choose={choose} />
      ))}
    </div>
  );
}

type ControlProps = FigureChoice & { panel: string; choose: ChooseOption };

function Control(props: ControlProps) {
  const { id, label, look, options, value, testId, choose } = props;
  if (look === "segments") return <Segments {...props} />;
  if (look === "check")
    return (
      <CheckBox
        data-testid={testId}
        checked={value === options[0]!.value}
        onChange={({ target }) => choose(id, options[target.checked ? 0 : 1]!.value)}
      >
        {label}
      </CheckBox>
    );
  return (
    <InlineField label={label}>
      <select
        data-testid={testId}
        value={value}
        onChange={({ target }) => choose(id, target.value)}
      >
        {options.map((one) => (
          <option key={one.value} value={one.value} disabled={one.disabled}>
            {one.name}
          </option>
        ))}
      </select>
    </InlineField>
  );
}

function Segments({ id, label, options, value, panel, choose }: ControlProps) {
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{label}</legend>
      {options.map((one) => (
        <label key={one.value}>
          <input
            type="radio"
            name={`${panel}-${id}`}
            value={one.value}
            checked={one.value === value}
            disabled={one.disabled}
            onChange={() => choose(id, one.value)}
          />
          {one.name}
        </label>
      ))}
    </fieldset>
  );
}
