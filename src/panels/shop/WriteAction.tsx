/** A field for actions as a model has to write them; right or wrong. */
import { useId, useState, type FormEvent } from "react";
import { words } from "../shared/shop/words.ts";

interface WriteActionProps {
  onWrite: (text: string) => void;
  /** Why the latest text had no effect; null if it had one. */
  problem: string | null;
}

export function WriteAction({ onWrite, problem }: WriteActionProps) {
  const [text, setText] = useState("");
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onWrite(text);
    setText("");
  };
  return (
    <form className="write" onSubmit={submit}>
      <label htmlFor={id}>{words.write.label}</label>
      <div className="shop-search-row">
        <input
          id={id}
          type="text"
          value={text}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          data-testid="write-action"
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit">{words.write.send}</button>
      </div>
      <p id={`${id}-hint`} className="note">
        {words.write.hint}
      </p>
      <p role="status" className="shop-line" data-testid="nothing">
        {problem !== null && (
          <>
            <strong>{words.nothing.lead}</strong> {problem}
          </>
        )}
      </p>
    </form>
  );
}
