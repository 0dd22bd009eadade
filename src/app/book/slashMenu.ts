/** "/" at the beginning of an empty line of prose offers cells to put there, by arrow keys and Enter, by letters, or by a press. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { Cell } from "../../notebook/cell.ts";
import { cellTypes, kindOf } from "../../notebook/cells/kinds.ts";
import { words } from "./words.ts";

/** Around the line: the text before it and behind it. */
type PutCell = (type: Cell["type"], around: readonly [string, string]) => void;

/** What the bar between cells has as well, and inputs. */
const OFFERED = cellTypes.filter((type) => kindOf(type).button ?? kindOf(type).given);

export function slashMenu(choose: PutCell): Extension {
  return autocompletion({ override: [(context) => offered(context, choose)], icons: false });
}

function offered({ state, pos }: CompletionContext, choose: PutCell): CompletionResult | null {
  const line = state.doc.lineAt(pos);
  if (!/^\/\w*$/.test(line.text)) return null;
  const option = (type: Cell["type"], name: string, i: number): Completion => ({
    label: `/${name}`,
    boost: -i,
    apply: (view) => take(view, type, choose),
  });
  const cells = OFFERED.map((type, i) =>
    option(type, kindOf(type).button ?? kindOf(type).title, i + 1),
  );
  const options = [option("prose", words.addText, 0), ...cells];
  return { from: line.from, options, validFor: /^\/\w*$/ };
}

/** The line is the caret's. */
function take({ state }: EditorView, type: Cell["type"], choose: PutCell): void {
  const { from, to } = state.doc.lineAt(state.selection.main.head);
  choose(type, [state.sliceDoc(0, from), state.sliceDoc(to)]);
}
