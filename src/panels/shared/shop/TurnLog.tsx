/** The trip so far in WebShop's action texts: what a model would have had to write. */
import { useEffect, useId, useRef } from "react";
import type { Shop } from "../../../env/webshop/pageNodes.ts";
import { didOf } from "./describe.ts";
import type { Trip } from "../../../reading/shop/trip.ts";
import { words } from "./words.ts";
import { Empty } from "../../../ui/Empty.tsx";

interface TurnLogProps {
  trip: Trip;
  shop: Shop;
  /** The turn to mark, from 0, of a trip that is watched. */
  current?: number;
}

export function ShopTurnLog({ trip, shop, current }: TurnLogProps) {
  const id = useId();
  const list = useRef<HTMLOListElement>(null);
  const shown = current ?? trip.turns.length - 1;
  // Only the list's own box scrolls, never the page.
  useEffect(() => {
    const item = list.current?.children[shown];
    if (!(item instanceof HTMLElement) || !list.current) return;
    list.current.scrollTop = item.offsetTop - list.current.clientHeight / 2;
  }, [shown]);
  return (
    <section className="turn-log" aria-labelledby={id}>
      <h3 id={id}>{current === undefined ? words.log.title : words.log.watched}</h3>
      {trip.turns.length === 0 ? (
        <Empty>{words.log.empty}</Empty>
      ) : (
        <ol ref={list} tabIndex={0} aria-labelledby={id} data-testid="turn-log">
          {trip.turns.map(({ text, valid }, i) => (
            <li key={i} aria-current={i === current ? "step" : undefined} data-valid={valid}>
              <code>{text === "" ? words.replay.writesNothing : text}</code>
              <span className={valid ? "note" : "bad"}>{didOf(trip, i, shop)}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
