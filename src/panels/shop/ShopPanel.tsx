/** The shop: which one and for which goal, to shop in or to watch. */
import { Tabs } from "radix-ui";
import { useState } from "react";
import { useStore } from "zustand";
import { GoalPicker } from "./GoalPicker.tsx";
import { ShoppingPanel } from "./ShoppingPanel.tsx";
import type { ShopSession } from "./shopState.ts";
import { SourcePicker } from "./SourcePicker.tsx";
import { WatchPanel, type EpisodeChoice } from "./WatchPanel.tsx";
import { words } from "../shared/shop/words.ts";
import { CheckBox } from "../../ui/Field.tsx";

interface ShopPanelProps {
  session: ShopSession;
  /** The tab it opens with. */
  first: "shop" | "watch";
}

export function ShopPanel({ session, first }: ShopPanelProps) {
  const [tab, setTab] = useState<string>(first);
  const [own, setOwn] = useState(false);
  const [episode, setEpisode] = useState<EpisodeChoice>("trained");
  const choose = (next: string, ownTrip = false) => {
    setOwn(ownTrip);
    if (ownTrip) setEpisode("own");
    setTab(next);
  };
  return (
    <Tabs.Root value={tab} onValueChange={(next) => choose(next)} className="panel shop-panel">
      <Tabs.List className="tabs" aria-label={words.title}>
        <Tabs.Trigger value="shop" data-testid="tab-shop">
          {words.shopYourself}
        </Tabs.Trigger>
        <Tabs.Trigger value="watch" data-testid="tab-watch">
          {words.watch}
        </Tabs.Trigger>
      </Tabs.List>
      {/* The trained model's episodes have their own shop and goal. */}
      {!(tab === "watch" && episode === "trained") && <TaskForm session={session} />}
      <Tabs.Content value="shop" tabIndex={-1}>
        <ShoppingPanel session={session} onWatch={() => choose("watch", true)} />
      </Tabs.Content>
      <Tabs.Content value="watch" tabIndex={-1}>
        <WatchPanel {...{ session, own, choice: episode, onChoose: setEpisode }} />
      </Tabs.Content>
    </Tabs.Root>
  );
}

function TaskForm({ session }: { session: ShopSession }) {
  const { shop, trip, reading, addressProblem } = useStore(session.store);
  const { goal, showAttributes } = trip.setup;
  return (
    <section className="shop-task" aria-labelledby="shop-task">
      <h2 id="shop-task" className="visually-hidden">
        {words.task}
      </h2>
      {addressProblem !== null && (
        <div role="alert" className="notice notice-problem" data-testid="address-problem">
          <strong>{words.addressProblem}</strong>
          <p>{addressProblem}</p>
        </div>
      )}
      <div className="shop-task-fields">
        <SourcePicker
          shop={shop}
          reading={reading}
          onGenerated={session.openGenerated}
          onFiles={session.openFiles}
          onCancel={session.cancelReading}
        />
        <GoalPicker goal={goal} goals={shop.catalogue.goals.length} onChoose={session.chooseGoal} />
      </div>
      <CheckBox
        checked={showAttributes}
        onChange={({ target }) => session.setShowAttributes(target.checked)}
      >
        <span>
          {words.attributesPage} <span className="note">{words.attributesHint}</span>
        </span>
      </CheckBox>
    </section>
  );
}
