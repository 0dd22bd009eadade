/** One question at a time: its progress, its result, and a way to cancel it. */
import { useCallback, useEffect, useRef, useState } from "react";
import { Eta } from "../../../runtime/eta.ts";
import type { Asking } from "../../../store/asking.ts";

export interface AskState {
  /** null: no question is pending. */
  progress: { done: number; total: number; secondsLeft: number | null } | null;
  /** Why the last question has no answer. */
  refusal: string | null;
}

type Begin<A> = (onProgress: (done: number, total: number) => void) => Asking<A>;

interface UseAsking extends AskState {
  /** `onRefused`: there will be no answer, for any reason but another question. */
  ask: <A>(begin: Begin<A>, take: (answer: A) => void, onRefused?: () => void) => void;
  cancel: () => void;
}

interface KeptState extends AskState {
  /** The topic of the refusal. */
  about: string;
}

const STILL: KeptState = { progress: null, refusal: null, about: "" };

/**
 * A question that its panel no longer waits for is withdrawn. `about`: the topic of questions; a
 * refusal is shown as long as it is the same.
 */
export function useAsking(about = ""): UseAsking {
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
  const ask: UseAsking["ask"] = useCallback(
    (begin, take, onRefused) => {
      current.current?.withdraw();
      const show = (progress: AskState["progress"], refusal: string | null = null) =>
        setState({ progress, refusal, about });
      show({ done: 0, total: 0, secondsLeft: null });
      const eta = new Eta();
      const asking = begin((done, total) => {
        const secondsLeft = eta.note(done, total, performance.now());
        if (current.current === asking) show({ done, total, secondsLeft });
      });
      current.current = asking;
      const settle = (refusal: string | null, then?: () => void) => {
        if (current.current !== asking) return;
        current.current = null;
        show(null, refusal);
        then?.();
      };
      asking.answer.then(
        (answer) => settle(null, () => take(answer)),
        (error: unknown) =>
          settle(error instanceof Error ? error.message : String(error), onRefused),
      );
    },
    [about],
  );
  const { progress, refusal } = state;
  return { progress, refusal: state.about === about ? refusal : null, ask, cancel };
}
