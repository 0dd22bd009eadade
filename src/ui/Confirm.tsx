/** A question that must be answered before one goes on: what is lost, and a button for each answer. */
import { useRef, type ReactNode } from "react";
import { AlertDialog } from "radix-ui";

interface ConfirmProps {
  open: boolean;
  /** Nothing is lost: by its button, or by Escape. */
  onKeep: () => void;
  title: string;
  /** One sentence: what is lost otherwise. */
  about: string;
  /** Of the button that keeps all. */
  keep: string;
  testId: string;
  /** The other answers: buttons. */
  children: ReactNode;
}

export function Confirm({ open, onKeep, title, about, keep, testId, children }: ConfirmProps) {
  const before = useRef<Element | null>(null);
  return (
    <AlertDialog.Root open={open} onOpenChange={(opens) => opens || onKeep()}>
      <AlertDialog.Portal>
        <div className="overlay" />
        <AlertDialog.Content
          className="dialog"
          data-testid={testId}
          onOpenAutoFocus={() => (before.current = document.activeElement)}
          onCloseAutoFocus={(event) => {
            // A key may have opened it: Radix knows of no button to go back to.
            event.preventDefault();
            if (before.current instanceof HTMLElement) before.current.focus();
          }}
        >
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description>{about}</AlertDialog.Description>
          <div className="buttons">
            <AlertDialog.Cancel asChild>
              <button type="button">{keep}</button>
            </AlertDialog.Cancel>
            {children}
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
