/** That the link is on the clipboard, or the link itself where the browser forbids that. */
import { useStore } from "zustand";
import { lastCopy, type Copied } from "../copyLink.ts";
import { words } from "./words.ts";

const selectCopy = (state: { last: Copied }) => state.last;

export function CopyResult() {
  const last = useStore(lastCopy, selectCopy);
  if (!last) return null;
  return (
    <p className="copy-result" role="status" data-testid="copied" data-link={last.link}>
      {last.copied ? (
        words.copied
      ) : (
        <label>
          {words.notCopied}{" "}
          <input readOnly value={last.link} onFocus={({ target }) => target.select()} />
        </label>
      )}
    </p>
  );
}
