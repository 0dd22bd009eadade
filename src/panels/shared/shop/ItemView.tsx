/** A product with its options, its readable sections, and Buy Now. */
import { productOf, type Shop } from "../../../env/webshop/pageNodes.ts";
import type { ItemPage } from "../../../env/webshop/state.ts";
import { Glyph } from "./Glyph.tsx";
import { ShopButton, clickText, Marked, Remarks } from "./Press.tsx";
import { shopWords, words } from "./words.ts";
import { useId, useRef, type KeyboardEvent } from "react";
import type { OptionGroup } from "../../../env/webshop/product.ts";
import { usePage } from "./pageUse.ts";
import { rove } from "../../../ui/roving.ts";

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

interface OptionChoiceProps {
  group: OptionGroup;
  /** The current value; undefined if none was chosen. */
  chosen: string | undefined;
}

/** One group of options as radio buttons. */
function OptionChoice({ group: { name, values }, chosen }: OptionChoiceProps) {
  const box = useRef<HTMLFieldSetElement>(null);
  const id = useId();
  return (
    <fieldset ref={box} className="options" data-testid="options" onKeyDown={moveFocus}>
      <legend>{name}</legend>
      <div className="option-row">
        {values.map((value, i) => (
          <Option key={i} id={id} name={name} value={value} checked={value === chosen} />
        ))}
      </div>
    </fieldset>
  );
}

interface OptionProps {
  id: string;
  name: string;
  value: string;
  checked: boolean;
}

function Option({ id, name, value, checked }: OptionProps) {
  const { act, target } = usePage();
  const element = `option:${name}:${value}`;
  const input = (
    <label className="option" data-element={element}>
      <input
        type="radio"
        name={id}
        value={value}
        checked={checked}
        disabled={act === null}
        onChange={() => act?.(clickText(value))}
      />
      {value}
      <Remarks text={clickText(value)} element={element} />
    </label>
  );
  return <Marked on={act === null && target === element}>{input}</Marked>;
}

/** Moves without choosing: each choice is a separate action, and the reader only passes by. */
function moveFocus(event: KeyboardEvent<HTMLFieldSetElement>): void {
  rove(event, "both", { of: "input", around: true });
}
