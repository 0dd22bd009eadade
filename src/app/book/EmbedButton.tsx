/** Copies the HTML that shows a cell in another page. */
import type { TypedCell } from "../../notebook/cell.ts";
import { Button } from "../../ui/Button.tsx";
import { say } from "../../ui/toasts.ts";
import { copyEmbedCode } from "./bookLink.ts";
import { useBook } from "./useBook.ts";
import { words } from "./words.ts";

export function EmbedButton({ cell: { id } }: { cell: TypedCell }) {
  const book = useBook();
  const copy = async () => say({ text: await copyEmbedCode(book, id), testId: "embed-said" });
  return (
    <Button look="quiet" data-testid="copy-embed" onClick={() => void copy()}>
      {words.embed}
    </Button>
  );
}
