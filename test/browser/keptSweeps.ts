/** What the browser keeps of a notebook's sweeps, read from its database. */
import type { Page } from "playwright-core";

interface KeptSweep {
  epochs: number;
  state: string;
  iteration: number;
  /** Of the last line that is kept. */
  chain: string;
}

/** Of the page's notebook, by what its sweep varies. */
export const keptSweeps = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<KeptSweep[]>((resolve) => {
        const home = /#book\/\w+/.exec(location.hash)![0];
        const asked = indexedDB.open("turnbook-runs");
        asked.onsuccess = () => {
          const transaction = asked.result.transaction(["runs", "lines"]);
          const runs = transaction.objectStore("runs").getAll();
          const keys = transaction.objectStore("lines").getAllKeys();
          const lines = transaction.objectStore("lines").getAll();
          transaction.oncomplete = () => {
            asked.result.close();
            const own = runs.result.filter(({ place }) => place.startsWith(`${home}/~`));
            const last = (id: string) => {
              const at = keys.result.findLastIndex((key) => (key as [string])[0] === id);
              return at < 0 ? "" : new TextDecoder().decode(lines.result[at].bytes).trim();
            };
            const all = own.map(({ id, state, iteration, spec }) => ({
              ...{ epochs: spec.optimisation.epochs as number, state, iteration },
              chain: /"chain":"(\w+)"/.exec(last(id).split("\n").at(-1)!)?.[1] ?? "",
            }));
            resolve(all.sort((a, b) => a.epochs - b.epochs));
          };
        };
      }),
  );
