/** Rows computed one after another, so that the page can answer between two of them. */
import { useEffect, useState } from "react";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { Episodes } from "./batch.ts";
import { creditOf, isKnown } from "./rowCredit.ts";

/** Milliseconds of computing between two chances for the page. */
const SLICE = 8;

/** What is to be shown, once all of its rows have been computed; before that, what was. null at first. */
export function useComputed<T extends { configs: readonly AlgorithmConfig[]; episodes: Episodes }>(
  wanted: T,
): T | null {
  const [shown, setShown] = useState<T | null>(null);
  useEffect(() => {
    const { configs, episodes } = wanted;
    const waiting = configs.filter((config) => !isKnown(config, episodes));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const step = () => {
      const end = performance.now() + SLICE;
      while (waiting.length > 0 && performance.now() < end) creditOf(waiting.shift()!, episodes);
      if (waiting.length === 0) setShown(wanted);
      else timer = setTimeout(step);
    };
    step();
    return () => clearTimeout(timer);
  }, [wanted]);
  return shown;
}
