/** A product's text on a separate page. */
import type { Catalogue } from "../../../env/webshop/catalogue.ts";
import { productOf } from "../../../env/webshop/pageNodes.ts";
import type { Product } from "../../../env/webshop/product.ts";
import type { SectionPage } from "../../../env/webshop/state.ts";
import { words } from "./words.ts";
import { Empty } from "../../../ui/Empty.tsx";

export function SectionView({ page, catalogue }: { page: SectionPage; catalogue: Catalogue }) {
  const product = productOf(page.asin, catalogue);
  return (
    <div className="section" data-testid="section">
      <p className="note">{product.title}</p>
      <Content product={product} section={page.section} />
    </div>
  );
}

function Content({ product, section }: { product: Product; section: SectionPage["section"] }) {
  switch (section) {
    case "description":
      return product.description.trim() === "" ? <Nothing /> : <p>{product.description}</p>;
    case "features":
      return <List texts={product.features} />;
    case "reviews":
      return <Reviews product={product} />;
    case "attributes":
      return <Attributes product={product} />;
  }
}

function Nothing() {
  return <Empty>{words.page.empty}</Empty>;
}

function List({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return <Nothing />;
  return (
    <ul>
      {texts.map((text, i) => (
        <li key={i}>{text}</li>
      ))}
    </ul>
  );
}

function Reviews({ product: { reviews } }: { product: Product }) {
  if (reviews.length === 0) return <Nothing />;
  return reviews.map(({ title, score, body }, i) => (
    <article key={i} className="review">
      <h4>{title}</h4>
      <p className="note">{words.page.stars(score)}</p>
      <p>{body}</p>
    </article>
  ));
}

function Attributes({ product }: { product: Product }) {
  const { attributes, category, query, productCategory } = product;
  const { page } = words;
  return (
    <>
      <List texts={attributes} />
      <dl className="facts">
        {[
          [page.department, category],
          [page.query, query],
          [page.category, productCategory],
        ].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
