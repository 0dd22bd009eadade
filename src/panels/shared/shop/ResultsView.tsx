/** Ten products of a search's results. */
import type { Catalogue } from "../../../env/webshop/catalogue.ts";
import { productOf } from "../../../env/webshop/pageNodes.ts";
import { shownResults, type ResultsPage } from "../../../env/webshop/state.ts";
import { Glyph } from "./Glyph.tsx";
import { ShopButton } from "./Press.tsx";
import { words } from "./words.ts";
import { Empty } from "../../../ui/Empty.tsx";

export function ResultsView({ page, catalogue }: { page: ResultsPage; catalogue: Catalogue }) {
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
