/** The shop page, around its panel. */
import { use, useState, useEffect } from "react";
import { DEFAULT_CATALOGUE_SEED } from "../env/webshop/generate/generateCatalogue.ts";
import { prepareShop } from "../reading/shop/generatedShop.ts";
import { ShopPanel, type ShopTab } from "../panels/shop/ShopPanel.tsx";
import { TripPanel } from "../panels/shop/trip/TripPanel.tsx";
import { words as tripWords } from "../panels/shop/trip/words.ts";
import { ExperimentContext, type ExperimentHandle } from "../store/hooks.ts";
import { Empty } from "../ui/Empty.tsx";
import { createShopSession, type ShopSession, type ShopState } from "../panels/shop/shopState.ts";
import { words } from "../panels/shared/shop/words.ts";
import { ViewHead } from "./ViewHead.tsx";
import { routeOf, SHOP_HASH } from "./route.ts";

let opening: Promise<ShopSession> | null = null;

/** One for the lifetime of the page: leaving the view and coming back shows the same trip. Created when first shown. */
const shopSession = () => (opening ??= openShop());

/** Once its initial shops are generated: the default one, and that of the address. */
async function openShop(): Promise<ShopSession> {
  await prepareShop(DEFAULT_CATALOGUE_SEED);
  const asked = shopTaskOf(location.hash);
  if (asked) await prepareShop(asked.seed);
  return createShopSession();
}

interface ShopViewProps {
  /** Address of the notebook. */
  back: string;
  /** The run whose trip is shown; undefined while it opens. */
  run: ExperimentHandle | undefined;
}

export function ShopView({ back, run }: ShopViewProps) {
  const session = use(shopSession());
  const [first] = useState(() => firstTab(session));
  useShopAddress(session);
  return (
    <article className="shop" data-testid="shop">
      <ShopPanel
        session={session}
        first={first}
        head={(tab, tabs) => (
          <ViewHead
            words={tab === "credit" ? { ...words, title: tripWords.title } : words}
            back={back}
            beside={tabs}
            isShort={tab === "credit"}
          />
        )}
        trip={run ? <TripOf run={run} /> : <Empty>{tripWords.opening}</Empty>}
      />
    </article>
  );
}

function TripOf({ run }: { run: ExperimentHandle }) {
  return (
    <ExperimentContext value={run}>
      <TripPanel />
    </ExperimentContext>
  );
}

/** Without a task or trip of the reader's own, what a model did. */
function firstTab({ store }: ShopSession): ShopTab {
  const isShopping = shopTaskOf(location.hash) !== null || store.getState().trip.turns.length > 0;
  return isShopping ? "shop" : "credit";
}

/** The task in an address; null if it leaves the task unchanged. */
export function shopTaskOf(hash: string): { seed: number; goal: number } | null {
  const [, seed, goal] = /^#shop-(\d{1,15})-(\d{1,15})$/.exec(hash) ?? [];
  return seed === undefined ? null : { seed: Number(seed), goal: Number(goal) };
}

/** A shop from the reader's own files has no address. */
export function shopHashOf({ shop: { source }, trip }: ShopState): string {
  return source.kind === "generated" ? `${SHOP_HASH}-${source.seed}-${trip.setup.goal}` : SHOP_HASH;
}

/** Opens the address's task, and writes the address of each chosen task. */
export function useShopAddress(session: ShopSession): void {
  useEffect(() => {
    const read = () => {
      const task = shopTaskOf(location.hash);
      if (task && location.hash !== shopHashOf(session.store.getState())) session.openTask(task);
      // An address without a task stays until a trip begins.
      if (task || session.store.getState().trip.turns.length > 0) write();
    };
    const write = () => {
      const hash = shopHashOf(session.store.getState());
      if (routeOf(location.hash) !== "shop" || location.hash === hash) return;
      history.replaceState(history.state, "", hash);
    };
    read();
    const unsubscribe = session.store.subscribe(write);
    window.addEventListener("hashchange", read);
    return () => {
      unsubscribe();
      window.removeEventListener("hashchange", read);
    };
  }, [session]);
}
