/** One page of the shop, with exactly the elements of WebShop's page. */
import { useMemo, useId, useState, type ReactNode, type Ref, type FormEvent } from "react";
import { pageNodes, productOf, type Shop } from "../../../env/webshop/pageNodes.ts";
import {
  shownResults,
  type ShopPage,
  type DonePage,
  type ResultsPage,
} from "../../../env/webshop/state.ts";
import { headingOf } from "./describe.ts";
import { ItemView } from "./ItemView.tsx";
import { ShopButton, Marked, Remarks } from "./Press.tsx";
import { SectionView } from "./SectionView.tsx";
import { RewardView } from "./RewardView.tsx";
import type { Catalogue } from "../../../env/webshop/catalogue.ts";
import { Glyph } from "./Glyph.tsx";
import { Empty } from "../../../ui/Empty.tsx";
import { usePage } from "./pageUse.ts";
import { SEARCH_BAR } from "../../../reading/shop/trip.ts";
import { shopWords, words } from "./words.ts";

interface ShopPageViewProps {
  page: ShopPage;
  shop: Shop;
  heading?: Ref<HTMLHeadingElement>;
  /** Shown below a finished purchase. */
  after?: ReactNode;
}

export function ShopPageView({ page, shop, heading, after }: ShopPageViewProps) {
  return (
    <div className="shop-page" data-testid="shop-page" data-page={page.kind}>
      <p className="shop-instruction" data-testid="instruction">
        <strong>{shopWords.instruction}</strong> {shop.goal.instruction}
      </p>
      <PageButtons page={page} shop={shop} />
      <h3 ref={heading} tabIndex={-1} className="shop-heading" data-testid="page-heading">
        {headingOf(page, shop)}
      </h3>
      <PageBody page={page} shop={shop} />
      {page.kind === "done" && after}
    </div>
  );
}

const LEADING = [shopWords.backToSearch, shopWords.previous, shopWords.next];

/** The buttons that lead from page to page, always in one place. */
function PageButtons({ page, shop }: { page: ShopPage; shop: Shop }) {
  const names = useMemo(() => buttonNames(page, shop), [page, shop]);
  const shown = LEADING.filter((name) => names.has(name));
  if (shown.length === 0) return null;
  return (
    <div className="shop-nav">
      {shown.map((name) => (
        <ShopButton key={name} name={name} />
      ))}
      {page.kind === "results" && (
        <span className="note" data-testid="place">
          {words.page.place(page.pageNumber, page.found.length)}
        </span>
      )}
    </div>
  );
}

function buttonNames(page: ShopPage, shop: Shop): Set<string> {
  const nodes = pageNodes(page, shop);
  return new Set(nodes.flatMap((node) => (node.role === "button" ? [node.text] : [])));
}

function PageBody({ page, shop }: { page: ShopPage; shop: Shop }) {
  switch (page.kind) {
    case "search":
      return <SearchView />;
    case "results":
      return <ResultsView page={page} catalogue={shop.catalogue} />;
    case "item":
      return <ItemView page={page} shop={shop} />;
    case "section":
      return <SectionView page={page} catalogue={shop.catalogue} />;
    case "done":
      return <DoneView page={page} shop={shop} />;
  }
}

/** After buying: the purchase and its reward. */
function DoneView({ page, shop }: { page: DonePage; shop: Shop }) {
  const { catalogue, goal } = shop;
  const product = productOf(page.asin, catalogue);
  const pairs = Object.entries(page.options).map(([name, value]) => `${name}: ${value}`);
  const same = goal.asin === product.asin;
  return (
    <>
      <div className="bought">
        <Glyph category={product.category} asin={product.asin} />
        <dl className="facts">
          <div>
            <dt>{words.reward.bought}</dt>
            <dd>{[product.title, ...pairs].join(", ")}</dd>
          </div>
          <div>
            <dt>{words.reward.goalProduct}</dt>
            <dd>{same ? words.reward.sameProduct : goal.name}</dd>
          </div>
        </dl>
      </div>
      <RewardView reward={page.reward} product={product} goal={goal} options={page.options} />
    </>
  );
}

/** Ten products of a search's results. */
function ResultsView({ page, catalogue }: { page: ResultsPage; catalogue: Catalogue }) {
  const asins = shownResults(page);
  if (asins.length === 0) {
    return <Empty>{page.found.length === 0 ? words.page.none : words.page.past}</Empty>;
  }
  return (
    <ol className="results" data-testid="results">
      {asins.map((asin) => (
        <Result key={asin} asin={asin} catalogue={catalogue} opened={page.opened.includes(asin)} />
      ))}
    </ol>
  );
}

interface ResultProps {
  asin: string;
  catalogue: Catalogue;
  opened: boolean;
}

/** WebShop's link is the asin; here the title is clickable too, because people read titles. */
function Result({ asin, catalogue, opened }: ResultProps) {
  const { title, priceText, category } = productOf(asin, catalogue);
  return (
    <li className="result">
      <Glyph category={category} asin={asin} />
      <div>
        <ShopButton name={asin} element={`product:${asin}`} className="result-title">
          {title || asin}
        </ShopButton>
        <p className="note">
          <code>{asin}</code>
          {opened && <span className="tag tag-recorded">{words.page.seen}</span>}
        </p>
      </div>
      <span className="result-price number">{priceText}</span>
    </li>
  );
}

/** The page with the search box. */
function SearchView() {
  const { act, target, typed } = usePage();
  return act ? (
    <SearchForm act={act} typed={typed ?? ""} />
  ) : (
    <WatchedSearch on={target === SEARCH_BAR} typed={typed} />
  );
}

function SearchForm({ act, typed }: { act: (text: string) => void; typed: string }) {
  const [text, setText] = useState(typed);
  const [empty, setEmpty] = useState(false);
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text === "") setEmpty(true);
    else act(`search[${text}]`);
  };
  return (
    <form className="shop-search" role="search" onSubmit={submit}>
      <label htmlFor={id}>{words.page.searchLabel}</label>
      <div className="shop-search-row">
        <input
          id={id}
          type="text"
          value={text}
          autoComplete="off"
          data-testid="search-box"
          aria-invalid={empty || undefined}
          aria-describedby={empty ? `${id}-problem` : undefined}
          onChange={({ target }) => {
            setText(target.value);
            setEmpty(false);
          }}
        />
        <button type="submit" className="primary">
          {shopWords.search}
          <Remarks text="" element={SEARCH_BAR} />
        </button>
      </div>
      <p id={`${id}-problem`} role="status" className="field-problem shop-line">
        {empty && words.page.searchEmpty}
      </p>
    </form>
  );
}

function WatchedSearch({ on, typed }: { on: boolean; typed: string | null }) {
  return (
    <div className="shop-search">
      <span>{words.page.searchLabel}</span>
      <div className="shop-search-row">
        <span className="shop-search-box">{typed ?? ""}</span>
        <Marked on={on}>
          <span className="press primary">{shopWords.search}</span>
        </Marked>
      </div>
    </div>
  );
}
