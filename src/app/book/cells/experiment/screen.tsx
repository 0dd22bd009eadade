/** The experiment cell: its card, its run, and its place in the queue if a notebook has several. */
import { LazyExperiment } from "../../../LazyExperiment.tsx";
import { QueueBar } from "../../QueueBar.tsx";
import type { CellScreen, ContentProps } from "../screen.ts";

export const experimentScreen: CellScreen = {
  Content,
  hasButton: true,
  writesItself: true,
  shown: ({ id }) => [id],
};

function Content({ experiments }: ContentProps) {
  return (
    <>
      {experiments.size > 1 && <QueueBar />}
      <LazyExperiment />
    </>
  );
}
