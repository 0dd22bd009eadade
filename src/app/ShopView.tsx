/** The shop's page around its panel. */
import { useEffect, useRef } from "react";
import { ShopPanel } from "../panels/shop/ShopPanel.tsx";
import { createShopSession } from "../panels/shop/shopState.ts";
import { words } from "../panels/shop/words.ts";
import { useShopAddress } from "./shopAddress.ts";

/** One for the life of the page: leaving the view and coming back shows the same trip. */
const session = createShopSession();

/** `back` is the address of the notebook. */
export function ShopView({ back }: { back: string }) {
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
