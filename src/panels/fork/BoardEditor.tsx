/** A board editor for mouse and keyboard: one cell has the focus, arrows move it. */
import { useRef, useState } from "react";
import { useActions } from "../../ui/useActions.ts";
import { symbolsOf, draw, symbolName, problemOf, TOOLS, type Tool } from "./boardEdit.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";
import { CheckBox } from "../../ui/Field.tsx";

interface BoardEditorProps {
  board: string;
  onChange: (board: string) => void;
}

/** The steps of the board's actions. */
const STEPS: Record<string, [number, number]> = {
  cellUp: [-1, 0],
  cellDown: [1, 0],
  cellLeft: [0, -1],
  cellRight: [0, 1],
};
const DRAWN: Record<string, Tool> = {
  drawPlayer: "player",
  drawBox: "box",
  drawTarget: "target",
  drawFloor: "floor",
  drawWall: "wall",
};

export function BoardEditor({ board, onChange }: BoardEditorProps) {
  const [tool, setTool] = useState<Tool>("player");
  const [focus, setFocus] = useState<[number, number]>([1, 1]);
  const grid = useRef<HTMLDivElement>(null);
  const cells = symbolsOf(board);
  const go = (r: number, c: number) => {
    setFocus([r, c]);
    grid.current?.querySelector<HTMLElement>(`[data-cell="${r},${c}"]`)?.focus();
  };
  useActions(grid, (id) => {
    const [r, c] = focus;
    const drawn = DRAWN[id];
    if (drawn) return onChange(draw(board, drawn, r, c));
    const [dr, dc] = STEPS[id] ?? [0, 0];
    const within = (x: number, n: number) => Math.max(0, Math.min(n - 1, x));
    go(within(r + dr, cells.length), within(c + dc, cells[0]!.length));
  });
  const problem = problemOf(board);
  return (
    <div className="fork-board">
      <ToolPicker tool={tool} onPick={setTool} />
      <div
        ref={grid}
        className="fork-grid"
        role="group"
        aria-label={words.boardName}
        style={{ gridTemplateColumns: `repeat(${cells[0]!.length}, 2rem)` }}
        data-scope="board"
        data-testid="fork-grid"
      >
        {cells.flatMap((row, r) =>
          row.map((symbol, c) => (
            <Button
              key={`${r},${c}`}
              data-cell={`${r},${c}`}
              className={`fork-cell fork-cell-${symbol === "#" ? "wall" : "open"}`}
              tabIndex={focus[0] === r && focus[1] === c ? 0 : -1}
              aria-label={words.cell(r, c, symbolName(symbol))}
              onFocus={() => setFocus([r, c])}
              onClick={() => onChange(draw(board, tool, r, c))}
            >
              <span className={`fork-mark fork-mark-${MARKS[symbol] ?? "none"}`}>
                {FACES[symbol] ?? ""}
              </span>
            </Button>
          )),
        )}
      </div>
      <p className="note">{words.boardHint}</p>
      {problem && (
        <p className="notice" role="status" data-testid="fork-problem">
          {problem}
        </p>
      )}
    </div>
  );
}

const FACES: Record<string, string> = { O: "○", X: "▣", "√": "☑", P: "♟", S: "♟" };
const MARKS: Record<string, string> = { O: "target", X: "box", "√": "done", P: "player", S: "on" };

function ToolPicker({ tool, onPick }: { tool: Tool; onPick: (tool: Tool) => void }) {
  return (
    <fieldset className="fork-tools">
      <legend>{words.tools}</legend>
      {TOOLS.map((one) => (
        <CheckBox
          key={one}
          type="radio"
          name="fork-tool"
          checked={one === tool}
          onChange={() => onPick(one)}
        >
          {words.tool[one]}
        </CheckBox>
      ))}
    </fieldset>
  );
}
