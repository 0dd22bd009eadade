/** After buying: the purchase and its reward. */
import { productOf, type Shop } from "../../../env/webshop/pageNodes.ts";
import type { DonePage } from "../../../env/webshop/state.ts";
import { Glyph } from "./Glyph.tsx";
import { RewardView } from "./RewardView.tsx";
import { words } from "./words.ts";

export function DoneView({ page, shop }: { page: DonePage; shop: Shop }) {
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
