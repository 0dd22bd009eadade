/** The page's one menu: behind a button, by mouse and by keyboard; typing an entry's first letters finds it. */
import type { ComponentProps, ReactElement, ReactNode } from "react";
import { DropdownMenu } from "radix-ui";
import "./menu.css";

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  align: "start" | "end";
  /** Set if the chosen action moves the focus; otherwise it returns to the button. */
  leadsAway?: boolean;
  /** `MenuItem`, `MenuLine` and `MenuGroup`. */
  children: ReactNode;
}

export function Menu({ trigger, align, leadsAway = false, children }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          align={align}
          sideOffset={4}
          onCloseAutoFocus={(event) => leadsAway && event.preventDefault()}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export const MenuItem = (props: ComponentProps<typeof DropdownMenu.Item>) => (
  <DropdownMenu.Item {...props} />
);

export const MenuLine = () => <DropdownMenu.Separator />;

export function MenuGroup({ name, children }: { name: string; children: ReactNode }) {
  return <DropdownMenu.Group aria-label={name}>{children}</DropdownMenu.Group>;
}
