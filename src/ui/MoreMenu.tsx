/** A menu behind "…": what is done less often. */
import { DropdownMenu } from "radix-ui";
import { Icon } from "./Icon.tsx";

export interface MenuEntry {
  name: string;
  testId: string;
  onSelect: () => void;
}

interface MoreMenuProps {
  /** Of its button, to those who hear it. */
  name: string;
  testId: string;
  align: "start" | "end";
  disabled?: boolean;
  className?: string;
  entries: readonly MenuEntry[];
}

export function MoreMenu({ name, testId, align, disabled, className, entries }: MoreMenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <button
          type="button"
          className={className}
          aria-label={name}
          data-testid={testId}
          disabled={disabled}
        >
          <Icon name="more" />
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align={align}>
          {entries.map((entry) => (
            <DropdownMenu.Item
              key={entry.testId}
              data-testid={entry.testId}
              onSelect={entry.onSelect}
            >
              {entry.name}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
