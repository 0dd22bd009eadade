/** A product with its options, its readable sections, and Buy Now. */
import { productOf, type Shop } from "../../../env/webshop/pageNodes.ts";
import type { ItemPage } from "../../../env/webshop/state.ts";
import { Glyph } from "./Glyph.tsx";
import { OptionChoice } from "./OptionChoice.tsx";
import { ShopButton } from "./Press.tsx";
import { usePage } from "./pageUse.ts";
import { shopWords, words } from "./words.ts";

const READABLE = [shopWords.description, shopWords.features, shopWords.reviews];

export function ItemView({ page, shop }: { page: ItemPage; shop: Shop }) {
  const { act } = usePage();
  const { asin, category, priceText, rating, options } = productOf(page.asin, shop.catalogue);
  const readable = shop.showAttributes ? [...READABLE, shopWords.attributes] : READABLE;
  return (
    <div className="item">
      <Glyph category={category} asin={asin} />
      <div className="item-body">
        <p className="item-price">
          <span className="number">{`${words.page.price} ${priceText}`}</span>
          <span className="note">{`${words.page.rating} ${rating}`}</span>
        </p>
        {options.map((group) => (
          <OptionChoice key={group.name} group={group} chosen={page.options[group.name]} />
        ))}
        {act && options.length > 0 && <p className="note">{words.page.optionsHint}</p>}
        <div className="buttons">
          {readable.map((name) => (
            <ShopButton key={name} name={name} />
          ))}
        </div>
        <div className="buttons">
          <ShopButton name={shopWords.buyNow} className="press primary" />
        </div>
      </div>
    </div>
  );
}
