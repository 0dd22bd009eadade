/** Choosing an episode to watch, and its replay. */
import { useState } from "react";
import { useStore } from "zustand";
import type { Episode } from "./replay.ts";
import { ReplayView } from "./ReplayView.tsx";
import type { ShopSession, ShopState } from "./shopState.ts";
import { actionLines } from "./trip.ts";
import { words } from "./words.ts";

const { replay: w } = words;

type Choice = "own" | "pasted";

export function WatchPanel({ session }: { session: ShopSession }) {
  const state = useStore(session.store);
  const [choice, setChoice] = useState<Choice>(state.lastTrip ? "own" : "pasted");
  const [text, setText] = useState("");
  const [shown, setShown] = useState<Episode | null>(() => ownEpisode(state));
  const own = ownEpisode(state);
  const chosen = choice === "own" ? own : pastedEpisode(state, text);
  return (
    <>
      <div className="toolbar">
        <label>
          {w.choose}
          <select
            value={choice}
            data-testid="episode-choice"
            onChange={({ target }) => setChoice(target.value as Choice)}
          >
            <option value="own" disabled={own === null}>
              {own === null ? w.noOwn : w.own}
            </option>
            <option value="pasted">{w.pasted}</option>
          </select>
        </label>
        <button
          type="button"
          className="primary"
          data-testid="watch"
          disabled={chosen === null}
          onClick={() => setShown(chosen)}
        >
          {w.show}
        </button>
      </div>
      {choice === "pasted" && <PasteField text={text} onChange={setText} />}
      {shown === null ? (
        <p className="empty">{w.none}</p>
      ) : (
        <ReplayView key={episodeKey(shown)} episode={shown} />
      )}
    </>
  );
}

function PasteField({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  return (
    <label className="paste">
      <span>
        {w.paste} <span className="note">{w.pasteHint}</span>
      </span>
      <textarea
        rows={5}
        value={text}
        spellCheck={false}
        data-testid="paste"
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}

function ownEpisode({ lastTrip }: ShopState): Episode | null {
  if (!lastTrip) return null;
  const { catalogue, trip } = lastTrip;
  return { catalogue, setup: trip.setup, texts: trip.turns.map(({ text }) => text) };
}

/** Through the shop and for the goal that are open. */
function pastedEpisode({ shop, trip }: ShopState, text: string): Episode | null {
  const texts = actionLines(text);
  return texts.length === 0 ? null : { catalogue: shop.catalogue, setup: trip.setup, texts };
}

function episodeKey({ setup, texts }: Episode): string {
  return JSON.stringify([setup, texts]);
}
