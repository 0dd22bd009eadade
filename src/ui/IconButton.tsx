/** An icon button: its label is its accessible name and its tooltip. */
import type { ComponentProps } from "react";
import { Button } from "./Button.tsx";
import { Icon, type IconName } from "./Icon.tsx";

interface IconButtonProps extends ComponentProps<typeof Button> {
  icon: IconName;
  name: string;
  /** Size of the icon in pixels; absent: 16. */
  size?: number;
}

export function IconButton({ icon, name, size, look = "quiet", ...rest }: IconButtonProps) {
  return (
    <Button look={look} aria-label={name} title={name} {...rest}>
      <Icon name={icon} {...(size !== undefined && { size })} />
    </Button>
  );
}
