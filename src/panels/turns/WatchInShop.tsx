/** Opens an episode of the shop page by page; only then is the shop loaded and made. */
import { lazy, Suspense, useState } from "react";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import type { WebShopSpec } from "../../spec/experiment.ts";
import { strings } from "../strings.ts";

const RecordedReplay = lazy(async () => {
  const { RecordedReplay } = await import("../shop/RecordedReplay.tsx");
  return { default: RecordedReplay };
});

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
      {open && (
        <Suspense fallback={<p className="empty">{strings.turns.shopOpening}</p>}>
          <RecordedReplay {...props} />
        </Suspense>
      )}
    </details>
  );
}
