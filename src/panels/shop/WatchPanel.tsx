/** Choosing an episode to watch, and its replay. */
import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { expert } from "../../env/webshop/expert.ts";
import { buyFirst, randomPolicy } from "../../env/webshop/policies.ts";
import { episodeBy, type ShopEpisode } from "../../reading/shop/replay.ts";
import { ReplayView } from "../shared/shop/ReplayView.tsx";
import type { ShopSession, ShopState } from "./shopState.ts";
import { actionLines } from "../../reading/shop/trip.ts";
import { words } from "../shared/shop/words.ts";
import { TrainedShopper } from "./TrainedShopper.tsx";
import { Button } from "../../ui/Button.tsx";
import { Select } from "../../ui/Field.tsx";

const { replay: w } = words;

const CHOICES = ["trained", "expert", "buyFirst", "random", "own", "pasted"] as const;
export type EpisodeChoice = (typeof CHOICES)[number];

interface WatchPanelProps {
  session: ShopSession;
  /** Whether to start with the shopper's own trip, and take the focus. */
  own: boolean;
  choice: EpisodeChoice;
  onChoose: (choice: EpisodeChoice) => void;
}

export function WatchPanel({ session, own, choice, onChoose }: WatchPanelProps) {
  const state = useStore(session.store);
  const [text, setText] = useState("");
  const [shown, setShown] = useState<ShopEpisode | null>(() => (own ? ownEpisode(state) : null));
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (own) box.current?.focus();
  }, [own]);
  const possible = { own: state.lastTrip !== null, pasted: text !== "" };
  return (
    <div ref={box} tabIndex={-1} className="watch">
      <div className="toolbar">
        <label>
          {w.choose}
          <Select
            value={choice}
            data-testid="episode-choice"
            options={CHOICES.map((one) => {
              const isOff = one === "own" && !possible.own;
              return [one, isOff ? w.noOwn : w[one], isOff];
            })}
            onPick={onChoose}
          />
        </label>
        <Button
          look="primary"
          data-testid="watch"
          disabled={(choice === "own" || choice === "pasted") && !possible[choice]}
          onClick={() => setShown(episodeOf(choice, state, text))}
        >
          {w.show}
        </Button>
      </div>
      {choice === "pasted" && <PasteField text={text} onChange={setText} />}
      {shown === null ? <TrainedShopper /> : <ReplayView key={episodeKey(shown)} episode={shown} />}
    </div>
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

/** Through the open shop and for the open goal, except for the shopper's own trip. */
function episodeOf(choice: EpisodeChoice, state: ShopState, text: string): ShopEpisode | null {
  const { catalogue } = state.shop;
  const { setup } = state.trip;
  switch (choice) {
    // With its own shop and goal.
    case "trained":
      return null;
    case "expert":
      return episodeBy(expert(), catalogue, setup);
    case "buyFirst":
      return episodeBy(buyFirst, catalogue, setup);
    case "random":
      return episodeBy(randomPolicy(setup.seed, setup.goal), catalogue, setup);
    case "pasted":
      return { catalogue, setup, texts: actionLines(text) };
    case "own":
      return ownEpisode(state);
  }
}

function ownEpisode({ lastTrip }: ShopState): ShopEpisode | null {
  if (!lastTrip) return null;
  const { catalogue, trip } = lastTrip;
  return { catalogue, setup: trip.setup, texts: trip.turns.map(({ text }) => text) };
}

/** A different task, or different texts, is a different episode. */
function episodeKey({ setup, texts }: ShopEpisode): string {
  return JSON.stringify([setup, texts]);
}
