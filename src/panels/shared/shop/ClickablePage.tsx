/** A turn's page as a clickable page: the caller decides what a click means. */
import { useState } from "react";
import { pageNodes } from "../../../env/webshop/pageNodes.ts";
import { parseAction } from "../../../env/webshop/parseAction.ts";
import type { WebShopSpec } from "../../../spec/experiment.ts";
import { AsModel } from "./AsModel.tsx";
import { useShopMade } from "./useShopMade.ts";
import { PageUseContext } from "./pageUse.ts";
import { ShopPageView } from "./ShopPageView.tsx";
import { tryStanding, type PlayedTrip, type ShopStanding } from "../../../reading/shop/standing.ts";
import { elementOf } from "../../../reading/shop/trip.ts";
import { words } from "./words.ts";

interface ClickablePageProps {
  environment: WebShopSpec;
  played: PlayedTrip;
  /** Receives the action of a click or a search. */
  onAct: (text: string) => void;
  /** The action selected so far, to be marked; null for none. */
  chosen?: string | null;
  /** Probabilities of actions, by their texts in lower case. */
  chances?: ReadonlyMap<string, number> | null;
}

export function ClickablePage(props: ClickablePageProps) {
  const { environment, played } = props;
  return <OfTurn key={JSON.stringify([environment, played])} {...props} />;
}

/** The page of a turn is created once, however often the response is edited. */
function OfTurn({ environment, played, ...use }: ClickablePageProps) {
  useShopMade(environment.catalogSeed);
  const [found] = useState(() => tryStanding(environment, played));
  if (!found.standing)
    return (
      <div className="notice" data-testid="shop-no-page">
        <strong>{words.turn.impossible}</strong> {found.problem} {words.turn.writeInstead}
      </div>
    );
  return <Page standing={found.standing} {...use} />;
}

type PageProps = Omit<ClickablePageProps, "environment" | "played"> & { standing: ShopStanding };

function Page({ standing, onAct, chosen = null, chances = null }: PageProps) {
  const { page, shop, ended } = standing;
  const action = chosen === null ? null : parseAction(chosen);
  const use = {
    act: ended ? null : onAct,
    target: chosen === null ? null : elementOf(page, chosen, shop),
    typed: action?.name === "search" ? action.argument : null,
    chances,
  };
  return (
    <div className="shop shop-turn">
      <PageUseContext value={use}>
        <ShopPageView page={page} shop={shop} />
      </PageUseContext>
      <AsModel nodes={pageNodes(page, shop)} />
    </div>
  );
}
