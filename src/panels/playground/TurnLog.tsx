/** The turns so far, who played each, and their rewards: turns are columns. */
import type { PlayedTurn } from "../../runtime/questions.ts";
import { EpisodeStrip } from "../shared/EpisodeStrip.tsx";
import { SignedNumber } from "../../draw/SignedNumber.tsx";
import type { Turn } from "./gamePlay.ts";
import { words } from "./words.ts";

export function PlayLog({ turns, played }: { turns: readonly Turn[]; played: PlayedTurn[] }) {
  const rewards = played.map(({ reward }) => reward);
  return (
    <>
      <h4>{words.log}</h4>
      {played.length === 0 && <p className="note">{words.logNone}</p>}
      <EpisodeStrip
        label={words.log}
        testId="play-log"
        here={null}
        turns={played.map(({ text, actions, reward }, h) => ({
          text,
          below: (
            <>
              <span className="note">{words.who[turns[h]?.who ?? "you"]}</span>
              {actions.length === 0 ? (
                <span className="note">{words.nothing}</span>
              ) : (
                actions.join(", ") !== text.trim() && <span>{actions.join(", ")}</span>
              )}
              <SignedNumber value={reward} among={rewards} />
            </>
          ),
        }))}
      />
    </>
  );
}
