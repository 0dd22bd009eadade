/** A button of a figure, with its key. */
import type { Act, Go } from "../figures/choices.ts";
import { useKeyOf } from "../ui/actionKeys.ts";
import { Button } from "../ui/Button.tsx";

type GoButtonProps = Go & { does: (act: Act) => void };

export function GoButton(props: GoButtonProps) {
  const { name, says, action, testId, hint, disabled = false, pressed, does, ...act } = props;
  const keyOf = useKeyOf();
  const key = action === undefined ? null : keyOf(action);
  return (
    <Button
      data-action={action}
      data-testid={testId}
      aria-label={says}
      title={hint}
      aria-disabled={disabled || undefined}
      aria-pressed={pressed}
      onClick={() => !disabled && does(act)}
    >
      {name}
      {key && (
        <>
          {" "}
          <kbd aria-hidden="true">{key}</kbd>
        </>
      )}
    </Button>
  );
}
