/** A button that is an icon: its name is heard, and seen as a hint. */
import { Icon, type IconName } from "./Icon.tsx";

interface IconButtonProps {
  icon: IconName;
  name: string;
  testId?: string;
  onClick: () => void;
}

export function IconButton({ icon, name, testId, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      className="quiet"
      aria-label={name}
      title={name}
      onClick={onClick}
      data-testid={testId}
    >
      <Icon name={icon} />
    </button>
  );
}
