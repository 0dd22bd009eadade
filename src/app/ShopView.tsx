/** The shop's page around its panel. */
import { use, useEffect, useRef } from "react";
import { DEFAULT_CATALOGUE_SEED } from "../env/webshop/generate/generateCatalogue.ts";
import { prepareShop } from "../reading/shop/generatedShop.ts";
import { ShopPanel } from "../panels/shop/ShopPanel.tsx";
import { createShopSession, type ShopSession } from "../panels/shop/shopState.ts";
import { words } from "../panels/shared/shop/words.ts";
import { shopTaskOf, useShopAddress } from "./shopAddress.ts";

/** One for the life of the page: leaving the view and coming back shows the same trip. Made when first shown. */
let opening: Promise<ShopSession> | null = null;

/** Once the shops it begins with are there: the usual one, and that of the address. */
async function openShop(): Promise<ShopSession> {
  await prepareShop(DEFAULT_CATALOGUE_SEED);
  const asked = shopTaskOf(location.hash);
  if (asked) await prepareShop(asked.seed);
  return createShopSession();
}

/** `back` is the address of the notebook. */
export function ShopView({ back }: { back: string }) {
  opening ??= openShop();
  const session = use(opening);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useShopAddress(session);
  return (
    <article className="shop" data-testid="shop">
      <h1 ref={heading} tabIndex={-1}>
        {words.title}
      </h1>
      <p className="shop-intro">{words.intro}</p>
      <p className="shop-links">
        <a href={back} data-testid="back">
          {words.back}
        </a>
      </p>
      <ShopPanel session={session} />
    </article>
  );
}
