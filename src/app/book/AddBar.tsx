/** Between two cells: what can be put there. */
import { cellTypes, kindOf, type CellType } from "../../notebook/cells/kinds.ts";
import type { Cell } from "../../notebook/cell.ts";
import { Button } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { MoreMenu } from "../../ui/MoreMenu.tsx";
import { words } from "./words.ts";

interface AddBarProps {
  /** In sight even where nothing near it has the focus. */
  always?: boolean;
  onAdd: (type: Cell["type"]) => void;
}

/** In the bar itself; all others are in its menu. */
const isFirst = (type: CellType) => kindOf(type).isFirst === true;
const FIRST = cellTypes.filter(isFirst);
const OTHERS = cellTypes.filter((type) => !isFirst(type));

export function AddBar({ always = false, onAdd }: AddBarProps) {
  return (
    <div className="add-bar" role="group" aria-label={words.add} data-always={always}>
      <AddButton name={words.addText} testId="add-prose" onClick={() => onAdd("prose")} />
      {FIRST.map((type) => (
        <AddButton
          key={type}
          name={kindOf(type).title}
          testId={`add-${type}`}
          onClick={() => onAdd(type)}
        />
      ))}
      <MoreMenu
        name={words.addMore}
        testId="add-more"
        align="start"
        entries={OTHERS.map((type) => ({
          name: kindOf(type).title,
          testId: `add-${type}`,
          onSelect: () => onAdd(type),
        }))}
      />
    </div>
  );
}

function AddButton({
  name,
  testId,
  onClick,
}: {
  name: string;
  testId: string;
  onClick: () => void;
}) {
  return (
    <Button data-testid={testId} onClick={onClick}>
      <Icon name="plus" size={14} />
      {name}
    </Button>
  );
}
