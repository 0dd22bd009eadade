/** The messages that a prompt of an experiment's own writes: their input, and their checked text. */
import { InputError, show } from "../numeric/inputError.ts";
import type { DefinedCode, EarlierTurn, PromptInput } from "../record/definitions.ts";
import type { TurnView } from "./promptAdapter.ts";
import type { ChatMessage } from "./ragenChat.ts";

/** Maximum characters of a message. */
const LONGEST_MESSAGE = 8000;
/** Special tokens, which would end the message and begin another. */
const SPECIAL = /<\|[^|>]*\|>/;

/** What a view has besides, for such code. */
export interface Remembered {
  history?: readonly EarlierTurn[];
}

/** The messages that the code writes. They throw an InputError unless it returns a text. */
export function messageOf(code: Pick<DefinedCode, "name" | "call">): ChatMessage {
  return ({ usual, observation, view, turn }) => {
    const { turnsLeft, actionsLeft, history = [] } = view as TurnView & Remembered;
    const input: PromptInput = { usual, observation, turn, turnsLeft, actionsLeft, history };
    const text = code.call("prompt", input);
    const refuse = (found: string, rule: string): never => {
      throw new InputError(`${code.name}: prompt returned ${found}; it must be ${rule}`);
    };
    if (typeof text !== "string" || text.trim() === "")
      return refuse(show(text), "a text that is not empty");
    if (text.length > LONGEST_MESSAGE)
      return refuse(`${text.length} characters`, `at most ${LONGEST_MESSAGE}`);
    const special = SPECIAL.exec(text);
    return special ? refuse(`a text with ${special[0]}`, "without the chat's own marks") : text;
  };
}
