/** Messages above the run bar; each stays while hovered, and F8 focuses them. */
import { Toast } from "radix-ui";
import { useStore } from "zustand";
import { Icon } from "./Icon.tsx";
import { dismiss, toasts } from "./toasts.ts";
import { words } from "./parts/words.ts";
import "./toasts.css";

/** Milliseconds that a message stays; one with an action stays until it is closed. */
const STAYS = 6000;

export function Toasts() {
  const { all } = useStore(toasts);
  return (
    <Toast.Provider label={words.message}>
      {all.map(({ key, text, action, testId, link }) => (
        <Toast.Root
          key={key}
          className="toast"
          duration={action ? Infinity : STAYS}
          onOpenChange={(open) => open || dismiss(key)}
          data-testid={testId ?? "toast"}
          data-link={link}
        >
          <Toast.Description>{text}</Toast.Description>
          {action && (
            <Toast.Action asChild altText={action.name}>
              <button type="button" onClick={action.run}>
                {action.name}
              </button>
            </Toast.Action>
          )}
          <Toast.Close asChild>
            <button type="button" className="quiet" aria-label={words.close}>
              <Icon name="close" />
            </button>
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport className="toasts" label={words.messages} />
    </Toast.Provider>
  );
}
