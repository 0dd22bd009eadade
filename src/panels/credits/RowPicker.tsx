/** Adds rows to the table, and removes them. */
import { algorithmNames } from "../../spec/algorithms.ts";
import { titleOf } from "../../reading/titles.ts";
import type { Row } from "../../reading/credit/rows.ts";
import { words } from "../../figures/credits/words.ts";
import { Button } from "../../ui/Button.tsx";

interface RowPickerProps {
  rows: readonly Row[];
  added: readonly string[];
  onAdd: (added: readonly string[]) => void;
}

export function RowPicker({ rows, added, onAdd }: RowPickerProps) {
  const shown = new Set(rows.map(({ name }) => name));
  const others = algorithmNames.filter((name) => !shown.has(name));
  return (
    <div className="row-picker">
      <label>
        {words.add}{" "}
        <select
          value=""
          data-testid="credits-add"
          onChange={({ target }) => target.value !== "" && onAdd([...added, target.value])}
        >
          <option value="">{words.addFirst}</option>
          {others.map((name) => (
            <option key={name} value={name}>
              {titleOf(name)}
            </option>
          ))}
        </select>
      </label>
      {added.map((name) => (
        <Button
          key={name}
          aria-label={words.remove(titleOf(name))}
          onClick={() => onAdd(added.filter((one) => one !== name))}
        >
          {titleOf(name)} ×
        </Button>
      ))}
    </div>
  );
}
