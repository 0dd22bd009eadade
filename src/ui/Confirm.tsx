/** A question that must be answered before continuing: what would be lost, and a button for each answer. */
import type { ReactNode } from "react";
import { AlertDialog } from "radix-ui";
import { Button } from "./Button.tsx";
import { useFocusBack } from "./Sheet.tsx";

interface ConfirmProps {
  open: boolean;
  /** Keeps everything: by its button, or by Escape. */
  onKeep: () => void;
  title: string;
  /** One sentence: what would be lost. */
  about: string;
  /** Label of the button that keeps everything. */
  keep: string;
  testId: string;
  /** For its style. */
  className?: string;
  /** Content above the buttons. */
  body?: ReactNode;
  /** The other answers: buttons. */
  children: ReactNode;
}

export function Confirm(props: ConfirmProps) {
  const { open, onKeep, title, about, keep, testId, className, body, children } = props;
  const focus = useFocusBack();
  return (
    <AlertDialog.Root open={open} onOpenChange={(opens) => opens || onKeep()}>
      <AlertDialog.Portal>
        <div className="overlay" />
        <AlertDialog.Content
          className={className === undefined ? "dialog" : `dialog ${className}`}
          data-testid={testId}
          {...focus}
        >
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description>{about}</AlertDialog.Description>
          {body}
          <div className="buttons">
            <AlertDialog.Cancel asChild>
              <Button>{keep}</Button>
            </AlertDialog.Cancel>
            {children}
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
