/** React hook for a game between the reader and the live policy. */
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { useExperiment } from "../../store/hooks.ts";
import { useAsking } from "../shared/ask/useAsking.ts";
import { GamePlay, type Turn } from "./gamePlay.ts";

/** Milliseconds between two turns of the policy, so that one can follow. */
export const STEP = 400;

export function useGame(algorithm: string) {
  const { session } = useExperiment();
  const asking = useAsking();
  const { ask } = asking;
  const [play] = useState(() => new GamePlay());
  const { game, auto, swapped } = useStore(play.store);
  useEffect(
    () =>
      play.connect(algorithm, (question, onAnswer, onRefused) =>
        ask((onProgress) => session.ask(question, onProgress), onAnswer, onRefused),
      ),
    [play, algorithm, ask, session],
  );
  // One turn after the other, while the policy plays.
  useEffect(() => {
    if (!auto || !game || asking.progress) return;
    const timer = setTimeout(() => play.goOn("take"), STEP);
    return () => clearTimeout(timer);
  }, [auto, game, asking.progress, play]);
  return {
    game,
    asking,
    auto,
    swapped,
    begin: (seed: number, turns: readonly Turn[] = []) =>
      play.press({ kind: "begin", seed, turns }),
    say: (text: string) => play.press({ kind: "say", text }),
    take: () => play.press({ kind: "take" }),
    takeBack: () => play.press({ kind: "takeBack" }),
    setAuto: (on: boolean) => play.setAuto(on),
    refresh: () => play.goOn("refresh"),
  };
}

export type GameControls = ReturnType<typeof useGame>;
