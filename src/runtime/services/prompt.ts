/** What the model read before a turn, in its own tokens: only its tokenizer and template, or a run's code, know them. */
import type { PromptAnswer, PromptPart, PromptQuestion } from "../questions.ts";
import { askedLearner, replay, type Service } from "./asked.ts";

/** @throws InputError if the episode cannot be replayed. */
export function answerPrompt(service: Service, question: PromptQuestion): PromptAnswer {
  const { player } = askedLearner(service, question.algorithm);
  const { prompter } = player.world;
  const { game } = replay(player, question.episode, question.turn);
  const texts = (ids: readonly number[]) => ids.map((id) => prompter.tokenText(id));
  const asked = (turn: number, ids: readonly number[]): PromptPart => ({
    turn,
    who: "environment",
    tokens: texts(ids),
  });
  const before = player.context === "full" ? game.turns : [];
  const parts = before.flatMap(({ queryIds, responseIds }, turn): PromptPart[] => [
    asked(turn, queryIds),
    { turn, who: "model", tokens: texts(responseIds) },
  ]);
  return { kind: "prompt", parts: [...parts, asked(question.turn, game.state.queryIds)] };
}
