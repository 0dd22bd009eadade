/** A thumbnail of a shop page: title, price, selected options, buttons. */
import { memo } from "react";
import type { PageSketch } from "./pageText.ts";
import { words } from "./words.ts";

const { page: say } = words;

/** Maximum products drawn of a list. */
const MOST = 3;

export const PagePicture = memo(function PagePicture({ sketch }: { sketch: PageSketch }) {
  const { kind, title, price, options, buttons } = sketch;
  const isResults = kind === "results";
  return (
    <div className="page-picture" data-page={kind} data-testid="page-picture">
      <p className="page-kind">{isResults ? title : say.kinds[kind]}</p>
      {!isResults && title !== "" && <p className="page-title">{say.title(kind, title)}</p>}
      {price !== "" && <p className="page-price">{price}</p>}
      {isResults && <Products {...sketch} />}
      {options.map(({ name, count, chosen }) => (
        <p key={name} className={chosen === null ? "page-option" : "page-option page-chosen"}>
          {say.option(name, count, chosen)}
        </p>
      ))}
      <p className="page-buttons">
        {buttons.map((name) => (
          <span key={name}>{name} </span>
        ))}
      </p>
    </div>
  );
});

function Products({ products }: PageSketch) {
  return (
    <>
      {products.slice(0, MOST).map(({ title, price, opened }, i) => (
        <p key={i} className="page-product">
          <span>
            {opened && say.opened} {title}
          </span>{" "}
          <b>{price}</b>
        </p>
      ))}
      {products.length > MOST && <p>{say.more(products.length - MOST)}</p>}
      {products.length === 0 && <p>{say.noProducts}</p>}
    </>
  );
}
