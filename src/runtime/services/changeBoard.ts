/** Changes the board in the middle of an episode. */
import { checkUnsolved, parseBoard, TARGET } from "../../env/sokoban/board.ts";
import { SokobanEnv } from "../../env/sokoban/sokobanEnv.ts";
import { InputError } from "../../numeric/inputError.ts";
import type { Player } from "../../train/oracle/branches.ts";
import type { OpenGame } from "./game.ts";

/** @throws InputError unless the board can be played on. */
export function changeBoard({ world }: Player, game: OpenGame, text: string): void {
  const { environment, state, turns } = game;
  if (!(environment instanceof SokobanEnv)) throw new InputError("only a board can be changed");
  checkBoard(text, environment.board);
  environment.restore({ ...environment.snapshot(), board: text });
  const { responseIds, queryIds: before } = turns.at(-1) ?? {};
  const queryIds = world.prompter.query(text, state.info, state.turn, responseIds, before);
  game.state = { ...state, snapshot: environment.snapshot(), observation: text, queryIds };
}

function checkBoard(text: string, { rows, cols }: { rows: number; cols: number }): void {
  const board = parseBoard(text);
  if (board.rows !== rows || board.cols !== cols)
    throw new InputError(`the board is ${board.rows} by ${board.cols}, not ${rows} by ${cols}`);
  const targets = board.fixed.filter((kind) => kind === TARGET).length;
  if (board.boxes.length === 0 || targets < board.boxes.length)
    throw new InputError(
      `the board has boxes: ${board.boxes.length}, targets: ${targets}; it needs a box, and a target for each`,
    );
  checkUnsolved("the board", board);
}
