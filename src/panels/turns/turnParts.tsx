/** What the figure of the turns leaves to components: the choice of an episode, boards, and the shop. */
import { useState } from "react";
import type { GivenPart } from "../../draw/FigureView.tsx";
import { turns } from "../../figures/turns/manifest.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import type { WebShopSpec } from "../../spec/experiment.ts";
import { lazyPart } from "../../ui/parts/lazyPart.tsx";
import { BoardPicture } from "../shared/BoardPicture.tsx";
import { NoEpisodes } from "../shared/NoEpisodes.tsx";
import { panelWords } from "../shared/strings.ts";
import { TurnToolbar } from "../shared/TurnToolbar.tsx";

const words = panelWords.turns;

export const turnParts = {
  toolbar: TurnToolbar,
  none: () => <NoEpisodes panel={turns} />,
  board: ({ given }: GivenPart<{ observation: string }>) => <BoardPicture {...given} />,
  shop: WatchInShop,
};

const RecordedReplay = lazyPart(
  "RecordedReplay",
  () => import("../shared/shop/RecordedReplay.tsx"),
  words.shopOpening,
);

/** Opens an episode of the shop page by page; the shop is loaded and generated only then. */
function WatchInShop({ given }: GivenPart<{ record: EpisodeRecord; environment: WebShopSpec }>) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className="watch-in-shop"
      data-testid="watch-in-shop"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{words.watchInShop}</summary>
      {open && <RecordedReplay {...given} />}
    </details>
  );
}
