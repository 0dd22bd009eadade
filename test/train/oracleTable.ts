/** A policy that is a table, in a world small enough to sum over everything that can happen in it. */
import type { Discount } from "../../src/method/credit/discount.ts";
import type { DecodeSession, EngineModel, GenerateRequest } from "../../src/engine/engine.ts";
import { parseBoard } from "../../src/env/sokoban/board.ts";
import { SokobanEnv, type SokobanInfo } from "../../src/env/sokoban/sokobanEnv.ts";
import { categorical, streamHash, uniform } from "../../src/numeric/rng.ts";
import type { World } from "../../src/rollout/world.ts";
import { compactSokoban } from "../../src/text/sokobanPrompts.ts";
import type { Player } from "../../src/train/oracle/branches.ts";

type Context = "full" | "turn";

const prompters = {
  full: compactSokoban({ context: "full" }),
  turn: compactSokoban({ context: "turn" }),
};

/** The four moves, and an empty response, which is bad form. */
export const RESPONSES = [["Up"], ["Down"], ["Left"], ["Right"], []].map((actions) =>
  prompters.turn.respond(actions),
);

/** How likely each response is after everything the policy sees: anything, but never less than a twentieth. [5] */
export function probabilities(seen: readonly number[]): number[] {
  const trajectory = streamHash(seen.join(","));
  const weights = RESPONSES.map(
    (_, step) => 0.3 + uniform({ seed: 7, stream: "table", iteration: 0, trajectory, step }),
  );
  const total = weights.reduce((a, b) => a + b);
  return weights.map((weight) => weight / total);
}

/** One draw per response, keyed as the engines key their tokens. */
function tableSession(batch: number): DecodeSession {
  const rows = Array.from({ length: batch }, (): number[] => []);
  const sample = ({ prompts, key }: GenerateRequest) =>
    rows.map((row, b) => {
      if (prompts[b]!.length === 0) return [];
      row.push(...prompts[b]!);
      const { seed, stream, iteration } = key;
      const at = { seed, stream, iteration, trajectory: key.trajectory[b]!, step: key.step[b]! };
      const response = RESPONSES[categorical(probabilities(row), uniform(at))]!;
      row.push(...response);
      return response;
    });
  return {
    generate: async (request) => {
      const ids = sample(request);
      return { ids, logprobs: ids.map((row) => row.map(() => 0)) };
    },
    clear: () => rows.forEach((row) => row.splice(0)),
    get lengths() {
      return rows.map((row) => row.length);
    },
    dispose: () => undefined,
  };
}

const model = { config: { maxPositions: 4096 }, decode: tableSession } as unknown as EngineModel;

export const TABLE = { maxTurns: 3, maxActions: 3, maxActionsPerTurn: 1, formatPenalty: -0.1 };

/** Boards of three by three free cells by number: one box, one target, one player. */
export function tableBoard(number: number): string {
  const free = [6, 7, 8, 11, 12, 13, 16, 17, 18];
  const draw = (left: number[], n: number) => left.splice(n % left.length, 1)[0]!;
  const left = [...free];
  const [target, box, player] = [number, Math.floor(number / 9), Math.floor(number / 72)].map((n) =>
    draw(left, n),
  );
  const cells = Array.from({ length: 25 }, (_, cell): string => (free.includes(cell) ? "_" : "#"));
  [cells[target!], cells[box!], cells[player!]] = ["O", "X", "P"];
  return cells.join("").replace(/.{5}(?!$)/g, "$&\n");
}

/** Plays the board that a task's seed numbers. */
export function tablePlayer(context: Context): Player {
  const create = (seed: number) =>
    new SokobanEnv({ ...TABLE, level: parseBoard(tableBoard(seed)) });
  const world: World<SokobanInfo> = {
    create,
    prompter: prompters[context],
    maxTurns: TABLE.maxTurns,
  };
  const sampling = { temperature: 1, topK: 0, topP: 1, maxTokensPerTurn: 6 };
  return { model, world, context, sampling };
}

/** V of a state by summing over all that can happen: the environment is copied by its snapshot. */
export function exactValue(
  { world, context }: Player,
  discount: Discount,
  state: {
    task: { seed: number };
    turn: number;
    snapshot: unknown;
    queryIds: number[];
    historyIds: number[];
    info: unknown;
  },
): number {
  const history = context === "full" ? state.historyIds : [];
  const seen = [...history, ...state.queryIds];
  const chances = probabilities(seen);
  let sum = 0;
  RESPONSES.forEach((response, i) => {
    const environment = world.create(state.task.seed);
    environment.restore(state.snapshot);
    const step = environment.step(world.prompter.answer(response, state.info as never));
    const turn = state.turn + 1;
    const later =
      step.terminated || step.truncated
        ? 0
        : exactValue({ world, context } as Player, discount, {
            task: state.task,
            turn,
            snapshot: environment.snapshot(),
            queryIds: world.prompter.query(step.observation, step.info, turn, response),
            historyIds: [...seen, ...response],
            info: step.info,
          });
    const n = discount.steps === "token" ? response.length : 1;
    const { gamma } = discount;
    sum += chances[i]! * (gamma ** (n - 1) * step.reward + gamma ** n * later);
  });
  return sum;
}
