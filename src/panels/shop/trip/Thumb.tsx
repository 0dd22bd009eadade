/** A page's shape, small and grey; readable are only what was clicked and what was chosen before. */
import type { ReactNode } from "react";
import { productOf, type Shop } from "../../../env/webshop/pageNodes.ts";
import { shownResults, type ItemPage, type ResultsPage } from "../../../env/webshop/state.ts";
import type { Frame } from "../../../reading/shop/replay.ts";
import { SEARCH_BAR, type ElementKey } from "../../../reading/shop/trip.ts";
import { Glyph } from "../../shared/shop/Glyph.tsx";
import { shopWords } from "../../shared/shop/words.ts";
import { words } from "./words.ts";

interface ThumbProps {
  frame: Frame;
  shop: Shop;
}

/** Its page and its click are in words beside it. */
export function Thumb({ frame, shop }: ThumbProps) {
  const { valid, element } = frame;
  const isDim = !valid || element === null;
  return (
    <span className="thumb" data-dim={isDim ? "" : undefined} aria-hidden="true">
      <span className="thumb-head">
        <Line width={84} />
        <Line width={60} />
      </span>
      <Body frame={frame} shop={shop} />
    </span>
  );
}

function Body({ frame: { stand, element }, shop }: ThumbProps) {
  const { page } = stand;
  switch (page.kind) {
    case "search":
      return (
        <>
          <span className="thumb-box">
            {[86, 96, 58].map((width) => (
              <Line key={width} width={width} />
            ))}
          </span>
          <Press hit={element === SEARCH_BAR ? shopWords.search : null} />
        </>
      );
    case "results":
      return <Results page={page} element={element} />;
    case "item":
      return <Item page={page} shop={shop} element={element} />;
    default:
      return (
        <>
          {[92, 84, 96, 70, 88].map((width) => (
            <Line key={width} width={width} />
          ))}
          <Press hit={pressed(element)} />
        </>
      );
  }
}

/** In per cent of the page. */
const Line = ({ width }: { width: number }) => (
  <i className="thumb-line" style={{ width: `${width}%` }} />
);

/** Products in sight. */
const ROWS = 4;

function Results({ page, element }: { page: ResultsPage; element: ElementKey | null }) {
  const asins = shownResults(page);
  const hit = asins.findIndex((asin) => element === `product:${asin}`);
  const name = hit < 0 ? pressed(element) : null;
  const rows = name === null ? ROWS : ROWS - 1;
  const from = Math.max(0, hit - rows + 1);
  return (
    <>
      {asins.slice(from, from + rows).map((asin, i) => (
        <span key={asin} className="thumb-row" data-hit={from + i === hit ? "" : undefined}>
          <i className="thumb-image" />
          <span>
            <Line width={92 - ((from + i) % 3) * 12} />
            <Line width={42} />
          </span>
        </span>
      ))}
      {name !== null && <Press hit={name} />}
    </>
  );
}

function Item({ page, shop, element }: { page: ItemPage; shop: Shop; element: ElementKey | null }) {
  const { asin, category, priceText, options } = productOf(page.asin, shop.catalogue);
  return (
    <>
      <span className="thumb-top">
        <Glyph category={category} asin={asin} />
        <span>
          <b>{priceText.split(" ", 1)[0]}</b>
          <Line width={92} />
          <Line width={64} />
        </span>
      </span>
      {options.slice(0, 2).map(({ name, values }) => (
        <span key={name} className="thumb-options">
          {values.map((value) => (
            <Option
              key={value}
              value={value}
              isHit={element === `option:${name}:${value}`}
              isSet={page.options[name] === value}
            />
          ))}
        </span>
      ))}
      <Press hit={pressed(element)} />
    </>
  );
}

interface OptionProps {
  value: string;
  isHit: boolean;
  isSet: boolean;
}

function Option({ value, isHit, isSet }: OptionProps): ReactNode {
  const state = isHit ? "hit" : isSet ? "set" : undefined;
  return (
    <span className="thumb-option" data-state={state} data-hit={isHit ? "" : undefined}>
      {state ? value : <Line width={60} />}
    </span>
  );
}

/** The name of the button that was clicked; null if it was none. */
function pressed(element: ElementKey | null): string | null {
  if (element === SEARCH_BAR) return shopWords.search;
  if (!element?.startsWith("button:")) return null;
  const name = element.slice("button:".length);
  return name === shopWords.buyNow ? words.buy : name;
}

/** The page's main button, or the one that was clicked. */
function Press({ hit }: { hit: string | null }) {
  return (
    <span className="thumb-press" data-hit={hit === null ? undefined : ""}>
      {hit ?? <Line width={64} />}
    </span>
  );
}
