/** One question under way at a time: how far it is, what came of it, and a way to call it off. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Asking } from "../../store/asking.ts";

export interface AskState {
  /** null: nothing is under way. */
  progress: { done: number; total: number } | null;
  /** Why the last question has no answer. */
  refusal: string | null;
}

type Begin<A> = (onProgress: (done: number, total: number) => void) => Asking<A>;

export interface UseAsking extends AskState {
  ask: <A>(begin: Begin<A>, take: (answer: A) => void) => void;
  cancel: () => void;
}

const STILL: AskState = { progress: null, refusal: null };

/** A question that its panel no longer waits for is withdrawn. */
export function useAsking(): UseAsking {
  const [state, setState] = useState(STILL);
  const current = useRef<Asking<unknown> | null>(null);
  const cancel = useCallback(() => current.current?.withdraw(), []);
  useEffect(
    () => () => {
      current.current?.withdraw();
      current.current = null;
    },
    [],
  );
  const ask: UseAsking["ask"] = useCallback((begin, take) => {
    current.current?.withdraw();
    setState({ progress: { done: 0, total: 0 }, refusal: null });
    const asking = begin((done, total) => {
      if (current.current === asking) setState({ progress: { done, total }, refusal: null });
    });
    current.current = asking;
    const settle = (refusal: string | null, then?: () => void) => {
      if (current.current !== asking) return;
      current.current = null;
      setState({ progress: null, refusal });
      then?.();
    };
    asking.answer.then(
      (answer) => settle(null, () => take(answer)),
      (error: unknown) => settle(error instanceof Error ? error.message : String(error)),
    );
  }, []);
  return { ...state, ask, cancel };
}
