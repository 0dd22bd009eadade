/** What the environment showed before a turn, in grey; of a long text the first part, and more on demand. */
import { useState } from "react";
import { MORE_LETTERS, stretchesOf } from "../../ui/longText.ts";
import { words } from "./words.ts";

export function Observation({ text }: { text: string }) {
  const [shown, setShown] = useState({ text, count: 1 });
  const count = shown.text === text ? shown.count : 1;
  const { parts, left } = stretchesOf(text, count);
  return (
    <>
      {parts.map((part, i) => (
        <pre className="tokens-environment" key={i}>
          {part}
        </pre>
      ))}
      {(left > 0 || count > 1) && (
        <p className="tokens-parts" data-testid="tokens-rest">
          {left > 0 && (
            <button type="button" onClick={() => setShown({ text, count: count + 1 })}>
              {words.moreLetters(Math.min(left, MORE_LETTERS), left)}
            </button>
          )}{" "}
          {count > 1 && (
            <button type="button" onClick={() => setShown({ text, count: 1 })}>
              {words.fewerLetters}
            </button>
          )}
        </p>
      )}
    </>
  );
}
