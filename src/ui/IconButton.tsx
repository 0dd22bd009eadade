/** A button that is an icon: its name is heard, and seen as a hint. */
import type { ComponentProps } from "react";
import { Button } from "./Button.tsx";
import { Icon, type IconName } from "./Icon.tsx";

interface IconButtonProps extends ComponentProps<typeof Button> {
  icon: IconName;
  name: string;
  /** Of the icon, in pixels; absent: 16. */
  size?: number;
}

export function IconButton({ icon, name, size, look = "quiet", ...rest }: IconButtonProps) {
  return (
    <Button look={look} aria-label={name} title={name} {...rest}>
      <Icon name={icon} {...(size !== undefined && { size })} />
    </Button>
  );
}
