/** An episode page by page, with each turn's click marked. */
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { pageNodes, type Shop } from "../../../env/webshop/pageNodes.ts";
import { SignedNumber } from "../../../draw/SignedNumber.tsx";
import { AsModel } from "./AsModel.tsx";
import { saidOf } from "./describe.ts";
import { whyNothing } from "./explain.ts";
import { PageUseContext } from "./pageUse.ts";
import { ReplayControls, type Pace } from "./ReplayControls.tsx";
import { replayOf, type ShopEpisode, type Frame } from "../../../reading/shop/replay.ts";
import { ShopPageView } from "./ShopPageView.tsx";
import { SEARCH_BAR, shopOf } from "../../../reading/shop/trip.ts";
import { ShopTurnLog } from "./TurnLog.tsx";
import { words } from "./words.ts";

const { replay: w } = words;

const NO_CREDITS: readonly number[] = [];

/** Milliseconds per page. */
const PACES: Record<Pace, number> = { slow: 4000, normal: 2000, fast: 800 };

interface ReplayViewProps {
  episode: ShopEpisode;
  /** Training's credit of each turn; absent without training. */
  credits?: readonly number[];
}

/** Use the episode as its `key`: another one starts at its first page. */
export function ReplayView({ episode, credits = NO_CREDITS }: ReplayViewProps) {
  const { trip, frames, leftOut } = useMemo(() => replayOf(episode), [episode]);
  const shop = useMemo(() => shopOf(episode.catalogue, episode.setup), [episode]);
  const last = frames.length - 1;
  const [at, setAt] = useState(0);
  const [pace, setPace] = useState<Pace>("normal");
  const [wanted, setPlaying] = useState(false);
  const playing = wanted && at < last;
  useEffect(() => {
    if (!playing) return;
    const timer = setTimeout(() => setAt(at + 1), PACES[pace]);
    return () => clearTimeout(timer);
  }, [playing, at, pace]);

  const move = (by: number) => {
    setPlaying(false);
    setAt(Math.min(last, Math.max(0, at + by)));
  };
  const play = () => {
    if (!playing && at === last) setAt(0);
    setPlaying(!playing);
  };
  const frame = frames[at]!;
  const use = { act: null, target: frame.element, typed: frame.typed };
  // data-scope: the replay's own keys work while the focus is in here.
  return (
    <div className="replay" data-scope="replay" data-testid="replay" data-frame={at}>
      <ReplayControls
        at={at}
        last={last}
        playing={playing}
        pace={pace}
        onMove={move}
        onPlay={play}
        onPace={setPace}
      />
      <Caption frame={frame} shop={shop} quiet={playing && pace === "fast"}>
        {credits.length > 0 && <Credit credits={credits} at={at} />}
      </Caption>
      <div className="shop-columns">
        <PageUseContext value={use}>
          <ShopPageView page={frame.stand.page} shop={shop} />
        </PageUseContext>
        <ShopTurnLog trip={trip} shop={shop} current={at} />
      </div>
      <AsModel nodes={pageNodes(frame.stand.page, shop)} />
      {leftOut > 0 && <p className="note">{w.cut(leftOut)}</p>}
    </div>
  );
}

/** Keeps its space when the trip is over. */
function Credit({ credits, at }: { credits: readonly number[]; at: number }) {
  const value = credits[at];
  return (
    <p data-testid="replay-credit">
      {value !== undefined && (
        <>
          {w.credit} <SignedNumber value={value} among={credits} />
        </>
      )}
    </p>
  );
}

interface CaptionProps {
  frame: Frame;
  shop: Shop;
  /** Whether pages follow each other too quickly to be announced. */
  quiet: boolean;
  children: ReactNode;
}

function Caption({ frame, shop, quiet, children }: CaptionProps) {
  const { text, valid, stand } = frame;
  const nodes = pageNodes(stand.page, shop);
  const noBox = frame.element === SEARCH_BAR && stand.page.kind !== "search";
  return (
    <div className="caption" aria-live={quiet ? "off" : "polite"} data-testid="caption">
      <span className="visually-hidden">{saidOf(stand.page, shop)}</span>
      {text === null ? (
        <p>{w.end}</p>
      ) : (
        <p>
          {w.writes} <code>{text === "" ? w.writesNothing : text}</code>
        </p>
      )}
      <p className="note">
        {text !== null && !valid && `${words.nothing.lead} ${whyNothing(text, nodes)}`}
        {noBox && w.searched}
      </p>
      {children}
    </div>
  );
}
