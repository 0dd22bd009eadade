/** Opens an episode of the shop page by page; only then is the shop loaded and made. */
import { useState } from "react";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import type { WebShopSpec } from "../../spec/experiment.ts";
import { lazyPart } from "../../ui/parts/lazyPart.tsx";
import { strings } from "../shared/strings.ts";

const RecordedReplay = lazyPart(
  "RecordedReplay",
  () => import("../shared/shop/RecordedReplay.tsx"),
  strings.turns.shopOpening,
);

interface WatchInShopProps {
  record: EpisodeRecord;
  environment: WebShopSpec;
}

export function WatchInShop(props: WatchInShopProps) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className="watch-in-shop"
      data-testid="watch-in-shop"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{strings.turns.watchInShop}</summary>
      {open && <RecordedReplay {...props} />}
    </details>
  );
}
