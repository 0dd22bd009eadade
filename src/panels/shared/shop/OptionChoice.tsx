/** One group of options as radio buttons. */
import { useId, useRef, type KeyboardEvent } from "react";
import type { OptionGroup } from "../../../env/webshop/product.ts";
import { clickText, Marked, Remarks } from "./Press.tsx";
import { usePage } from "./pageUse.ts";
import { rove } from "../../../ui/roving.ts";

interface OptionChoiceProps {
  group: OptionGroup;
  /** The current value; undefined if none was chosen. */
  chosen: string | undefined;
}

export function OptionChoice({ group: { name, values }, chosen }: OptionChoiceProps) {
  const box = useRef<HTMLFieldSetElement>(null);
  const id = useId();
  return (
    <fieldset ref={box} className="options" data-testid="options" onKeyDown={moveFocus}>
      <legend>{name}</legend>
      <div className="option-row">
        {values.map((value, i) => (
          <Option key={i} id={id} name={name} value={value} checked={value === chosen} />
        ))}
      </div>
    </fieldset>
  );
}

interface OptionProps {
  id: string;
  name: string;
  value: string;
  checked: boolean;
}

function Option({ id, name, value, checked }: OptionProps) {
  const { act, target } = usePage();
  const element = `option:${name}:${value}`;
  const input = (
    <label className="option" data-element={element}>
      <input
        type="radio"
        name={id}
        value={value}
        checked={checked}
        disabled={act === null}
        onChange={() => act?.(clickText(value))}
      />
      {value}
      <Remarks text={clickText(value)} element={element} />
    </label>
  );
  return <Marked on={act === null && target === element}>{input}</Marked>;
}

/** Moves without choosing: each choice is a separate action, and the reader only passes by. */
function moveFocus(event: KeyboardEvent<HTMLFieldSetElement>): void {
  rove(event, "both", { of: "input", around: true });
}
