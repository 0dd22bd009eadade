/** What one kind of cell is on the screen: a folder or file here each, an entry in `screens.tsx`. */
import type { ComponentType } from "react";
import type { TypedCell } from "../../../notebook/cell.ts";
import type { BookStore } from "../../../store/bookStore.ts";
import type { Experiments } from "../../experiments.ts";

export interface ContentProps {
  cell: TypedCell;
  experiments: Experiments;
}

export interface ToolsProps {
  store: BookStore;
  cellKey: number;
  cell: TypedCell;
}

export interface CellScreen {
  /** What it shows, inside the experiment that it shows; absent: nothing. */
  Content?: ComponentType<ContentProps>;
  /** Of its place in the page, where that is not `cell`. */
  className?: string;
  /** It has a button to train, which the keys press while it is in view. */
  hasButton?: true;
  /** Its figures are shown alone by names of their own. */
  ownFigures?: true;
  /** Its own controls write its text: it stays as it is while they do. */
  writesItself?: true;
  /** While it is written: below its text. */
  Tools?: ComponentType<ToolsProps>;
  /** Ids of the experiments whose runs it shows. Absent: none, or its own by `showsRun`. */
  shown?(cell: TypedCell, experiments: Experiments): readonly string[];
}
