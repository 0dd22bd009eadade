/** The shop for a person: the page, the log of actions, a field for actions, and the page as a model reads it. */
import { useEffect, useRef, useId, useState, type FormEvent } from "react";
import { useStore } from "zustand";
import { pageNodes } from "../../env/webshop/pageNodes.ts";
import { AsModel } from "../shared/shop/AsModel.tsx";
import { announcementOf, pageId } from "../shared/shop/describe.ts";
import { whyNothing } from "../shared/shop/explain.ts";
import { PageUseContext } from "../shared/shop/pageUse.ts";
import { anotherThan } from "./GoalPicker.tsx";
import type { ShopSession } from "./shopState.ts";
import { ShopPageView } from "../shared/shop/ShopPageView.tsx";
import { here, shopOf, standBefore, type Trip } from "../../reading/shop/trip.ts";
import { ShopTurnLog } from "../shared/shop/TurnLog.tsx";
import { Button } from "../../ui/Button.tsx";
import { words } from "../shared/shop/words.ts";

interface ShoppingPanelProps {
  session: ShopSession;
  onWatch: () => void;
}

export function ShoppingPanel({ session, onWatch }: ShoppingPanelProps) {
  const { shop: open, trip, moves } = useStore(session.store);
  const shop = shopOf(open.catalogue, trip.setup);
  const { page, ended } = here(trip);
  const nodes = pageNodes(page, shop);
  const heading = usePageFocus(pageId(page), moves);
  const use = { act: ended ? null : session.act, target: null, typed: null };
  return (
    <>
      <div className="shop-columns">
        <PageUseContext value={use}>
          <ShopPageView
            page={page}
            shop={shop}
            heading={heading}
            after={<AfterPurchase session={session} onWatch={onWatch} />}
          />
        </PageUseContext>
        <div className="shop-side">
          <ShopTurnLog trip={trip} shop={shop} />
          {ended ? null : <WriteAction onWrite={session.write} problem={problemOf(trip, shop)} />}
        </div>
      </div>
      {ended && page.kind !== "done" && (
        <div className="notice notice-stale" data-testid="out-of-turns">
          <p>{words.page.outOfTurns(trip.setup.maxTurns)}</p>
          <AfterPurchase session={session} onWatch={onWatch} />
        </div>
      )}
      <p className="visually-hidden" role="status" data-testid="shop-says">
        {announcementOf(trip, shop)}
      </p>
      <AsModel nodes={nodes} />
    </>
  );
}

/** Why the latest text had no effect, judged by the page on which it was written. */
function problemOf(trip: Trip, shop: ReturnType<typeof shopOf>): string | null {
  const last = trip.turns.at(-1);
  if (!last || last.valid) return null;
  const { page } = standBefore(trip, trip.turns.length - 1);
  return whyNothing(last.text, pageNodes(page, shop));
}

/**
 * Moves the focus to the heading of each new page after the shopper's presses; when typing actions,
 * the focus stays in the field.
 */
function usePageFocus(place: string, moves: number) {
  const heading = useRef<HTMLHeadingElement>(null);
  const seen = useRef({ place, moves });
  useEffect(() => {
    const moved = moves !== seen.current.moves && place !== seen.current.place;
    seen.current = { place, moves };
    if (moved) heading.current?.focus();
  }, [place, moves]);
  return heading;
}

function AfterPurchase({ session, onWatch }: ShoppingPanelProps) {
  const { shop, trip } = session.store.getState();
  const another = () => {
    session.chooseGoal(anotherThan(trip.setup.goal, shop.catalogue.goals.length));
    session.again();
  };
  return (
    <div className="buttons" data-testid="after-purchase">
      <Button look="primary" onClick={session.again}>
        {words.page.again}
      </Button>
      <Button onClick={another}>{words.page.another}</Button>
      <Button onClick={onWatch}>{words.page.watchAgain}</Button>
    </div>
  );
}

interface WriteActionProps {
  onWrite: (text: string) => void;
  /** Why the latest text had no effect; null if it had one. */
  problem: string | null;
}

/** A field for actions as a model has to write them; right or wrong. */
function WriteAction({ onWrite, problem }: WriteActionProps) {
  const [text, setText] = useState("");
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onWrite(text);
    setText("");
  };
  return (
    <form className="write" onSubmit={submit}>
      <label htmlFor={id}>{words.write.label}</label>
      <div className="shop-search-row">
        <input
          id={id}
          type="text"
          value={text}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          data-testid="write-action"
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit">{words.write.send}</button>
      </div>
      <p id={`${id}-hint`} className="note">
        {words.write.hint}
      </p>
      <p role="status" className="shop-line" data-testid="nothing">
        {problem !== null && (
          <>
            <strong>{words.nothing.lead}</strong> {problem}
          </>
        )}
      </p>
    </form>
  );
}
