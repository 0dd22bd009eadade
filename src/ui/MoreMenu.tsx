/** A menu behind "…" for less frequent actions. */
import { Button } from "./Button.tsx";
import { Icon } from "./Icon.tsx";
import { Menu, MenuItem } from "./Menu.tsx";

interface MenuEntry {
  name: string;
  testId: string;
  onSelect: () => void;
}

interface MoreMenuProps {
  /** Accessible name of its button. */
  name: string;
  testId: string;
  align: "start" | "end";
  disabled?: boolean;
  className?: string;
  entries: readonly MenuEntry[];
}

export function MoreMenu({ name, testId, align, entries, ...button }: MoreMenuProps) {
  return (
    <Menu
      align={align}
      trigger={
        <Button {...button} aria-label={name} data-testid={testId}>
          <Icon name="more" />
        </Button>
      }
    >
      {entries.map((entry) => (
        <MenuItem key={entry.testId} data-testid={entry.testId} onSelect={entry.onSelect}>
          {entry.name}
        </MenuItem>
      ))}
    </Menu>
  );
}
