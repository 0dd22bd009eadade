/** One page of the shop, with exactly the elements of WebShop's page. */
import { useMemo, type ReactNode, type Ref } from "react";
import { pageNodes, type Shop } from "../../../env/webshop/pageNodes.ts";
import type { ShopPage } from "../../../env/webshop/state.ts";
import { DoneView } from "./DoneView.tsx";
import { headingOf } from "./describe.ts";
import { ItemView } from "./ItemView.tsx";
import { ShopButton } from "./Press.tsx";
import { ResultsView } from "./ResultsView.tsx";
import { SearchView } from "./SearchView.tsx";
import { SectionView } from "./SectionView.tsx";
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
