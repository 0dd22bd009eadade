/** A prompt that an experiment defines: the limits of its messages, and what it remembers of the episode. */
import type { Environment } from "../env/environment.ts";
import { InputError } from "../numeric/inputError.ts";
import type { DefinedCode, EarlierTurn } from "../record/definitions.ts";
import type { TurnInfo, World } from "../rollout/world.ts";
import type { PlainAdapter } from "../text/promptAdapter.ts";

/** The adapter, whose queries must stay within the limits that memory was planned for. `repeats`: a query has the ones before. */
export function limited(
  prompter: PlainAdapter,
  { name }: DefinedCode,
  {
    maxQueryTokens,
    laterQueryTokens,
  }: Pick<World, "laterQueryTokens"> & { maxQueryTokens: number },
  repeats: boolean,
): PlainAdapter {
  return {
    ...prompter,
    query: (observation, view, turn, previous, before) => {
      const ids = prompter.query(observation, view, turn, previous, before);
      const most = turn === 0 ? maxQueryTokens : (laterQueryTokens ?? maxQueryTokens);
      const added = ids.length - (repeats ? (before?.length ?? 0) : 0);
      if (added <= most) return ids;
      throw new InputError(
        `${name}: prompt returned a message of ${added} tokens in turn ${turn + 1}; it must have at most ${most}, half as many again as for a full board before the run`,
      );
    },
  };
}

/** The same environment, which tells in each turn's info what was played before it; the class stays the same. */
export function remembering(game: Environment<TurnInfo>): Environment<TurnInfo> {
  let history: readonly EarlierTurn[] = [];
  let observation = "";
  const reset = game.reset.bind(game);
  const step = game.step.bind(game);
  const snapshot = game.snapshot.bind(game);
  const restore = game.restore.bind(game);
  return Object.assign(game, {
    reset: (seed: number) => {
      const begun = reset(seed);
      history = [];
      observation = begun.observation;
      return { ...begun, info: { ...begun.info, history } };
    },
    step: (response: string, chance?: number) => {
      const played = step(response, chance);
      const { reward, info } = played;
      history = [...history, { observation, response, actions: info.actions ?? [], reward }];
      observation = played.observation;
      return { ...played, info: { ...info, history } };
    },
    snapshot: () => ({ ...(snapshot() as object), played: { history, observation } }),
    restore: (saved: unknown) => {
      const { played, ...inner } = saved as {
        played: { history: readonly EarlierTurn[]; observation: string };
      };
      restore(inner);
      ({ history, observation } = played);
    },
  });
}
