/** Keys that apply within one element only: the action table maps them, the element acts on them. */
import { useEffect, useEffectEvent, type RefObject } from "react";
import { flushSync } from "react-dom";

/** Its `detail` is the action's id; sent to the element with `data-hears` at or around the scope that has the focus. */
export const ACTION_EVENT = "turnbook:action";

/** `ref`: the element with the `data-scope`, or around it. */
export function useActions(ref: RefObject<HTMLElement | null>, act: (id: string) => void): void {
  const hear = useEffectEvent((event: Event) => act((event as CustomEvent<string>).detail));
  useEffect(() => {
    const element = ref.current;
    // Synchronously: the next key must see the result of this one.
    const listener = (event: Event) => flushSync(() => hear(event));
    element?.setAttribute("data-hears", "");
    element?.addEventListener(ACTION_EVENT, listener);
    return () => element?.removeEventListener(ACTION_EVENT, listener);
  }, [ref]);
}
