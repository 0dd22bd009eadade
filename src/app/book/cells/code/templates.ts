/** An example of each kind of definition, to start from: those of the page that explains them. */
import page from "../../../../record/definitions.md?raw";
import {
  DEFINITION_KINDS,
  type Definition,
  type DefinitionKind,
} from "../../../../spec/definitions.ts";

/** Each block of code on the page begins with its kind and name. */
const templates: readonly Definition[] = [
  ...page.matchAll(/```ts\n\/\/ (\w+) (\w+)\n([\s\S]*?)```/g),
].flatMap(([, word, name, source]) => {
  const kind = DEFINITION_KINDS.find((one) => one === word);
  return kind ? [{ kind, name: name!, source: source!.trimEnd() }] : [];
});

/** The first example of a kind. */
export function templateOf(kind: DefinitionKind): Definition {
  return templates.find((one) => one.kind === kind)!;
}
