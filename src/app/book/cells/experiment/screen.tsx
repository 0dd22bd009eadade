/** The experiment cell: its form, its run, and its place in the queue if a notebook has several. */
import { useStore } from "zustand";
import { LazyExperiment } from "../../../LazyExperiment.tsx";
import { useBook } from "../../useBook.ts";
import { QueueBar } from "../../QueueBar.tsx";
import type { CellScreen, ContentProps } from "../screen.ts";

export const experimentScreen: CellScreen = {
  Content,
  hasButton: true,
  writesItself: true,
  shown: ({ id }) => [id],
};

/** Where one writes, settings are one line that opens: the cell is one of many. */
function Content({ experiments }: ContentProps) {
  const isWritten = useStore(useBook().store, ({ mode }) => mode === "edit");
  return (
    <>
      {experiments.size > 1 && <QueueBar />}
      <LazyExperiment {...(isWritten && { folded: "notes" as const })} />
    </>
  );
}
