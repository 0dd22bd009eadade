/** The shop page, around its panel. */
import { use, useState } from "react";
import { DEFAULT_CATALOGUE_SEED } from "../env/webshop/generate/generateCatalogue.ts";
import { prepareShop } from "../reading/shop/generatedShop.ts";
import { ShopPanel } from "../panels/shop/ShopPanel.tsx";
import { createShopSession, type ShopSession } from "../panels/shop/shopState.ts";
import { words } from "../panels/shared/shop/words.ts";
import { shopTaskOf, useShopAddress } from "./shopAddress.ts";
import { ViewHead } from "./ViewHead.tsx";

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

/** `back` is the address of the notebook. */
export function ShopView({ back }: { back: string }) {
  const session = use(shopSession());
  const [first] = useState(() => firstTab(session));
  useShopAddress(session);
  return (
    <article className="shop" data-testid="shop">
      <ViewHead words={words} back={back} />
      <ShopPanel session={session} first={first} />
    </article>
  );
}

/** Without a task or trip, the reader probably wants to watch a shopper. */
function firstTab({ store }: ShopSession): "shop" | "watch" {
  const isShopping = shopTaskOf(location.hash) !== null || store.getState().trip.turns.length > 0;
  return isShopping ? "shop" : "watch";
}
