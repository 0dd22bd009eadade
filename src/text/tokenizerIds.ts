/** The tokens of a parsed `tokenizer.json`, without the library that encodes. */
import { InputError, show } from "../numeric/inputError.ts";

/**
 * Ids above this are not from our tokenizers: the library would allocate a table of that length.
 */
const MAX_ID = 1_000_000;

/**
 * Ids by token: valid ones, no token with two and no id of two tokens.
 * @throws InputError naming the token and its ids
 */
export function tokenizerIds(tokenizerJson: unknown): Map<string, number> {
  const { model, added_tokens } = (tokenizerJson ?? {}) as {
    model?: { vocab?: unknown };
    added_tokens?: unknown;
  };
  const vocab = model?.vocab;
  if (typeof vocab !== "object" || vocab === null || Array.isArray(vocab)) {
    throw new InputError("tokenizer.json has no model.vocab object");
  }
  if (!Array.isArray(added_tokens)) throw new InputError("tokenizer.json has no added_tokens list");
  const added = added_tokens.map((token) => [token?.content, token?.id] as const);
  const ids = new Map<string, number>();
  const tokens = new Map<number, string>();
  for (const [token, id] of [...Object.entries(vocab), ...added]) {
    const good = typeof token === "string" && Number.isInteger(id) && id >= 0 && id <= MAX_ID;
    if (!good)
      throw new InputError(`tokenizer.json gives ${JSON.stringify(token)} the id ${String(id)}`);
    if ((ids.get(token) ?? id) !== id)
      throw new InputError(
        `tokenizer.json gives ${show(token)} the ids ${ids.get(token)} and ${id}`,
      );
    if ((tokens.get(id) ?? token) !== token)
      throw new InputError(
        `tokenizer.json gives the id ${id} to ${show(tokens.get(id))} and ${show(token)}`,
      );
    ids.set(token, id);
    tokens.set(id, token);
  }
  return ids;
}
