/** The jump keys as buttons. */
import { useExperiment } from "../../store/hooks.ts";
import {
  toFirstTurn,
  toLargestError,
  toLargestErrorOfAll,
  toLastTurn,
  toNextClipped,
  type Jump,
} from "./jumps.ts";
import type { RibbonView } from "./ribbonView.ts";
import { words } from "./words.ts";

type JumpName = keyof typeof words.jumps;

const JUMPS: Record<JumpName, Jump> = {
  largestError: toLargestError,
  largestErrorOfAll: toLargestErrorOfAll,
  nextClipped: toNextClipped,
  firstTurn: toFirstTurn,
  lastTurn: toLastTurn,
};

/** As in the action table. */
const KEYS: Record<JumpName, string> = {
  largestError: "e",
  largestErrorOfAll: "E",
  nextClipped: "x",
  firstTurn: "Home",
  lastTurn: "End",
};

export function JumpButtons({ view: { peak, hasErrors, clippedAll } }: { view: RibbonView }) {
  const { store } = useExperiment();
  const go = (jump: Jump) =>
    store.setState(({ view: { log }, choice }) => ({ choice: jump(log, choice) }));
  const none: Partial<Record<JumpName, boolean>> = {
    largestError: peak === null,
    largestErrorOfAll: !hasErrors,
    nextClipped: clippedAll === 0,
  };
  return (
    <div className="jumps" role="group" aria-label={words.jump}>
      <span className="note">{words.jump}</span>
      {(Object.keys(JUMPS) as JumpName[]).map((name) => (
        <button
          key={name}
          type="button"
          aria-disabled={none[name] ?? false}
          data-jump={name}
          onClick={() => go(JUMPS[name])}
        >
          {words.jumps[name]} <kbd aria-hidden="true">{KEYS[name]}</kbd>
        </button>
      ))}
    </div>
  );
}
