/** The code cells of an open notebook, and what they may read: the notebook's runs, as data. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { computes, type TypedCell } from "../../../../notebook/cell.ts";
import { browserSandboxPort, SandboxClient } from "../../../../runtime/sandbox/sandboxClient.ts";
import { bookCells, type BookStore } from "../../../../store/bookStore.ts";
import { CodeCells } from "../../../../store/codeCells.ts";
import { countBook } from "../../../../store/codeConsent.ts";
import { codeInput, readerInput, type CellRun, type Moved } from "../../../../store/codeInputs.ts";
import type { ExperimentHandle } from "../../../../store/hooks.ts";
import type { Experiments } from "../../../experiments.ts";

/** Milliseconds after a change until cells are checked: a training run changes all the time. */
const LOOK_AFTER = 250;

/** One worker for all notebooks of the page; it starts with the first cell that runs. */
const sandbox = new SandboxClient(browserSandboxPort);

/** Code cells of the notebook except definitions, which experiments run. */
function codeOf(store: BookStore): TypedCell[] {
  return bookCells(store.getState()).filter(computes);
}

/** What readers have set in the notebook's input cells; forgotten with the page. */
export type Inputs = StoreApi<{ moved: Moved }>;

/** After `close` they no longer run or read anything. */
export function openCode(
  store: BookStore,
  experiments: StoreApi<{ map: Experiments }>,
): { cells: CodeCells; inputs: Inputs; close: () => void } {
  const inputs: Inputs = createStore(() => ({ moved: {} }));
  const code = new CodeCells({
    cells: () => codeOf(store).map(({ id, body }) => ({ name: id, source: body })),
    input: (name) =>
      readerInput(bookCells(store.getState()), inputs.getState().moved, name) ??
      codeInput(runsOf(experiments.getState().map), name),
    readsOf: async ({ source, name }) => {
      const { freeNames } = await import("../../../../runtime/sandbox/freeNames.ts");
      return freeNames(source, name);
    },
    run: (cell, inputs, signal) => sandbox.runCell(cell, inputs, signal),
  });
  const ends = [countBook(store), follow(store, experiments, inputs, code)];
  const close = () => {
    for (const end of ends) end();
    code.stop();
  };
  return { cells: code, inputs, close };
}

/** Checks again when a cell or a run has changed, and first when the notebook has opened. */
function follow(
  store: BookStore,
  experiments: StoreApi<{ map: Experiments }>,
  inputs: Inputs,
  code: CodeCells,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let first = true;
  const look = () => {
    timer = undefined;
    if (codeOf(store).length === 0 && first) return;
    const { isForeign } = store.getState();
    void code.refresh(!isForeign).then(() => {
      if (first && !isForeign) void code.run(code.late());
      first &&= isForeign;
    });
  };
  const soon = () => void (timer ??= setTimeout(look, LOOK_AFTER));
  const watched = new Map<ExperimentHandle["store"], () => void>();
  const watch = () => {
    for (const one of experiments.getState().map.values())
      if (!watched.has(one.store)) {
        const end = one.store.subscribe((now, before) => {
          if (now.view !== before.view || now.state !== before.state) soon();
        });
        watched.set(one.store, end);
      }
    soon();
  };
  const endCells = experiments.subscribe(watch);
  const endBook = store.subscribe((now, before) => {
    if (now.history.now !== before.history.now || now.isForeign !== before.isForeign) soon();
  });
  const endInputs = inputs.subscribe(soon);
  watch();
  return () => {
    for (const end of [endCells, endBook, endInputs, ...watched.values()]) end();
    clearTimeout(timer);
  };
}

function runsOf(map: Experiments): ReadonlyMap<string, CellRun> {
  return new Map(
    [...map].map(([id, { store }]) => {
      const { view, state } = store.getState();
      return [id, { log: view.log, isBusy: state === "running" }];
    }),
  );
}
