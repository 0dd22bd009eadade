/** A product with its options, what can be read about it, and Buy Now. */
import { productOf, type Shop } from "../../../env/webshop/pageNodes.ts";
import type { ItemPage } from "../../../env/webshop/state.ts";
import { Glyph } from "./Glyph.tsx";
import { OptionChoice } from "./OptionChoice.tsx";
import { Press } from "./Press.tsx";
import { usePage } from "./pageUse.ts";
import { webshop, words } from "./words.ts";

const READABLE = [webshop.description, webshop.features, webshop.reviews];

export function ItemView({ page, shop }: { page: ItemPage; shop: Shop }) {
  const { act } = usePage();
  const { asin, category, priceText, rating, options } = productOf(page.asin, shop.catalogue);
  const readable = shop.showAttributes ? [...READABLE, webshop.attributes] : READABLE;
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
            <Press key={name} name={name} />
          ))}
        </div>
        <div className="buttons">
          <Press name={webshop.buyNow} className="press primary" />
        </div>
      </div>
    </div>
  );
}
