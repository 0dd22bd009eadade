/** A component that is loaded when first shown; if that fails, only its own place shows the error. */
import {
  startTransition,
  Suspense,
  useEffect,
  useState,
  useSyncExternalStore,
  type ComponentProps,
  type FC,
  type ReactNode,
} from "react";
import { createPart, type Part, type PartState } from "./part.ts";
import { Trouble } from "../Trouble.tsx";
import { words } from "./words.ts";

// Props differ from component to component.
// oxlint-disable-next-line typescript/no-explicit-any
type AnyComponent = FC<any>;

/**
 * `name`: the component's, and its file's; `opening`: shown while it loads, below the result of
 * `beside` for its props: content that must not wait; `chunks`: files that `load` imports, if it is not one of that name.
 */
export function lazyPart<Name extends string, Module extends Record<Name, AnyComponent>>(
  name: Name,
  load: () => Promise<Module>,
  opening: string,
  beside: (props: ComponentProps<Module[Name]>) => ReactNode = () => null,
  chunks: readonly string[] = [name],
): LazyPart<ComponentProps<Module[Name]>> {
  const part = createPart(name, async () => (await load())[name], undefined, chunks);
  const LazyPart = (props: ComponentProps<Module[Name]>) => {
    const now = usePart(part);
    const waiting = opening !== "" && <p className="empty">{opening}</p>;
    if (now.state !== "ready")
      return (
        <>
          {beside(props)}
          {now.state === "failed" ? <PartFailed part={part} why={now.why} /> : waiting}
        </>
      );
    const Loaded: AnyComponent = now.value;
    return (
      <Suspense fallback={waiting}>
        <Loaded {...props} />
      </Suspense>
    );
  };
  return Object.assign(LazyPart, { part });
}

/** A component that is loaded when first shown, and what loads it. */
export type LazyPart<Props> = FC<Props> & { part: Part<unknown> };

/** The current state of a part; using it starts loading. */
export function usePart<T>(part: Part<T>): PartState<T> {
  const [now, setNow] = useState(part.get);
  useEffect(() => {
    // Loaded parts are rendered in a transition: many may arrive at once.
    const note = () => startTransition(() => setNow(part.get()));
    const stop = part.subscribe(note);
    note();
    part.load();
    return stop;
  }, [part]);
  return now;
}

const never = () => () => {};

/** Whether a part that is `wanted` is loaded or has failed, which its component says; also if there is nothing to load. */
export function useLoaded(part: Part<unknown> | undefined, wanted: boolean): boolean {
  useEffect(() => {
    if (wanted) part?.load();
  }, [part, wanted]);
  return useSyncExternalStore(part?.subscribe ?? never, () =>
    ["ready", "failed"].includes(part?.get().state ?? "ready"),
  );
}

interface PartFailedProps {
  part: Part<unknown>;
  why: string;
  title?: string;
}

export function PartFailed({ part, why, title = words.failed }: PartFailedProps) {
  return (
    <Trouble
      title={title}
      message={why}
      again={words.again}
      onAgain={part.load}
      testId="part-failed"
      part={part.name}
    />
  );
}
