/** Notebooks that the site serves, as texts. */
import { useEffect, useState } from "react";
import { fetchText } from "../experiments.ts";

/** Some servers send the page itself for missing files. */
export const isWebPage = (text: string) => /^\s*<!doctype html/i.test(text);

/** By name, as they arrive; one that is not served is left out: the notebook itself says why. @param names always the same list */
export function useNotebookTexts(names: readonly string[]): ReadonlyMap<string, string> {
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    let current = true;
    for (const name of names)
      void fetchText(`notebooks/${name}.md`)
        .then((text) => {
          if (current && !isWebPage(text)) setTexts((all) => new Map([...all, [name, text]]));
        })
        .catch(() => {});
    return () => void (current = false);
  }, [names]);
  return texts;
}
