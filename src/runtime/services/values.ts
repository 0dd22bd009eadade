/** The value landscape: what the critics predict for a turn's board with the player on each free square. */
import { FLOOR, parseBoard, renderBoard, TARGET, type Board } from "../../env/sokoban/board.ts";
import { finite } from "../../numeric/finite.ts";
import { InputError } from "../../numeric/inputError.ts";
import { tokenRow } from "../../text/tokenRow.ts";
import { maskAt } from "../../train/columns.ts";
import { placeRows } from "../../train/episodes.ts";
import { criticOf } from "../../train/learner.ts";
import type { Player, State } from "../../train/oracle/branches.ts";
import { learnsFromPairs } from "../../train/preference/learner.ts";
import type { ValuesAnswer, ValuesQuestion } from "../questions.ts";
import { askedLearner, replay, specNow, type Service } from "./asked.ts";

/** Boards per forward pass. */
const CHUNK = 64;

/** @throws InputError if the episode is not from the live run, or its turn shows no board. */
export async function answerValues(
  service: Service,
  { algorithm, episode: record, turn }: ValuesQuestion,
): Promise<ValuesAnswer> {
  const { player, trained } = askedLearner(service, algorithm);
  const { episode, states } = replay(player, record);
  const state = turn < episode.turns.length ? states[turn] : undefined;
  if (!state) throw new InputError(`turn is ${turn}; the episode has ${episode.turns.length}`);
  const board = boardOf(state);
  const squares = freeSquares(board);
  const contexts = squares.map((square) =>
    contextAt(player, state, { ...board, player: square }, episode.turns[turn - 1]?.responseIds),
  );
  const values = await valuesOfAll(service, contexts);
  const { rows, cols, player: at } = board;
  return { kind: "values", trained, rows, cols, player: at, squares, values };
}

function boardOf({ observation }: State): Board {
  try {
    return parseBoard(observation);
  } catch {
    throw new InputError("only a Sokoban board has squares to stand on");
  }
}

/** Squares without a wall or a box, including the player's own. */
function freeSquares({ fixed, boxes }: Board): number[] {
  return Array.from(fixed.keys()).filter(
    (cell) => (fixed[cell] === FLOOR || fixed[cell] === TARGET) && !boxes.includes(cell),
  );
}

/** What the model would see before it responds, with the player on this square. */
function contextAt(
  { world, context }: Player,
  { info, turn, historyIds }: State,
  board: Board,
  previous: readonly number[] | undefined,
): number[] {
  const queryIds = world.prompter.query(renderBoard(board), info, turn, previous);
  return context === "full" ? [...historyIds, ...queryIds] : queryIds;
}

/** V of the states at the end of the contexts, under every critic of the run, by algorithm; in reward units. */
async function valuesOfAll(
  service: Service,
  contexts: readonly number[][],
): Promise<Record<string, (number | null)[]>> {
  const { learners } = service.experiment;
  const values: Record<string, (number | null)[]> = {};
  for (const learner of learners) {
    if (learnsFromPairs(learner) || learner.crashed) continue;
    const critic = criticOf(learner);
    if (!critic) continue;
    const { optimisation, sampling } = specNow(service, learner.algorithm.name);
    const all: (number | null)[] = [];
    for (let from = 0; from < contexts.length; from += CHUNK) {
      await service.gate();
      const rows = contexts
        .slice(from, from + CHUNK)
        .map((queryIds) => tokenRow([{ queryIds, responseIds: [0] }], "full"));
      const placed = placeRows(rows);
      const mask = maskAt(placed.rows, placed.stateEndAt);
      const { temperature } = sampling;
      const request = { rows: placed.rows, mask, temperature, value: true };
      const plane = (await critic.forward(request)).value!; // [B, L]
      for (const at of placed.stateEndAt) all.push(finite(plane[at]! / optimisation.rewardScale));
    }
    values[learner.algorithm.name] = all;
  }
  return values;
}
