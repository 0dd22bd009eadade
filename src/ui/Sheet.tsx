/** A sheet over the page: a title, a close button, and the focus returned to where it was. */
import { useRef, type ReactNode } from "react";
import { Dialog } from "radix-ui";
import { Button } from "./Button.tsx";
import { words } from "./parts/words.ts";

interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  testId: string;
  /** For its style. */
  className?: string;
  /** Between title and button. */
  beside?: ReactNode;
  children: ReactNode;
}

export function Sheet({
  open,
  onOpenChange,
  title,
  testId,
  className,
  beside,
  children,
}: SheetProps) {
  const focus = useFocusBack();
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <div className="overlay" />
        <Dialog.Content
          className={className === undefined ? "dialog" : `dialog ${className}`}
          aria-describedby={undefined}
          data-testid={testId}
          {...focus}
        >
          <div className="sheet-top">
            <Dialog.Title>{title}</Dialog.Title>
            {beside}
            <Dialog.Close asChild>
              <Button>{words.close}</Button>
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/**
 * It may have been opened by a key or a menu that is gone, so Radix knows no button to return the
 * focus to.
 */
export function useFocusBack() {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => void (before.current = document.activeElement),
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (before.current instanceof HTMLElement) before.current.focus();
    },
  };
}
