/** What code is: a computation, or something that experiments train with. */
import { kindOf } from "../../../../notebook/cells/kinds.ts";
import { defineCell, writeCell } from "../../../../notebook/edit.ts";
import {
  DEFINITION_KINDS,
  type DefinitionKind,
  type Definition,
} from "../../../../spec/definitions.ts";
import { editBook } from "../../../../store/bookStore.ts";
import { Button } from "../../../../ui/Button.tsx";
import { words } from "../../words.ts";
import type { ToolsProps } from "../screen.ts";
import page from "../../../../record/definitions.md?raw";

/** Whether the code computes a value, or is something that experiments train with. */
export function Defines({ store, cellKey: key, cell: { type, defines, body } }: ToolsProps) {
  const template = defines && templateOf(defines);
  const write = (text: string) => editBook(store, (draft) => writeCell(draft, key, text));
  const choose = (kind: DefinitionKind | undefined) => {
    // A new cell begins with an example; what was written stays.
    const isNew = kind !== undefined && body === kindOf(type).blank;
    editBook(store, (draft) => {
      const defined = defineCell(draft, key, kind);
      return isNew ? writeCell(defined, key, templateOf(kind).source) : defined;
    });
  };
  return (
    <div className="cell-shows">
      <label>
        {words.code.is}{" "}
        <select
          value={defines ?? ""}
          data-testid="cell-defines"
          onChange={({ currentTarget }) =>
            choose(DEFINITION_KINDS.find((one) => one === currentTarget.value))
          }
        >
          <option value="">{words.code.computes}</option>
          {DEFINITION_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {words.code.kinds[kind]}
            </option>
          ))}
        </select>
      </label>
      {template && body !== template.source && (
        <Button data-testid="use-template" onClick={() => write(template.source)}>
          {words.code.template}
        </Button>
      )}
    </div>
  );
}

/** Each block of code on the page begins with its kind and name. */
const templates: readonly Definition[] = [
  ...page.matchAll(/```ts\n\/\/ (\w+) (\w+)\n([\s\S]*?)```/g),
].flatMap(([, word, name, source]) => {
  const kind = DEFINITION_KINDS.find((one) => one === word);
  return kind ? [{ kind, name: name!, source: source!.trimEnd() }] : [];
});

/** The first example of a kind. */
function templateOf(kind: DefinitionKind): Definition {
  return templates.find((one) => one.kind === kind)!;
}
