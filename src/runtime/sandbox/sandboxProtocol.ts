/** Messages between a page and the sandbox worker. */
import type { Definition } from "../../spec/definitions.ts";
import type { CodeCell, CellOutput } from "./cells.ts";

export type ToSandbox = { id: number } & (
  | { type: "cell"; cell: CodeCell; inputs: Record<string, unknown> }
  | { type: "estimate"; definition: Definition; input: object }
);

export type FromSandbox = { id: number } & (
  | { type: "cell"; output: CellOutput }
  | { type: "estimate"; result: unknown }
  /** isInput: the error is in the user's code. */
  | { type: "refused"; message: string; isInput: boolean }
);
