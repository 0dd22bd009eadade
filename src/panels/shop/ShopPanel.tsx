/** The shop: a recorded trip and its credit; or which shop and for which goal, to shop in or to watch. */
import { Tabs } from "radix-ui";
import { useState, type ReactNode } from "react";
import { useStore } from "zustand";
import { GoalPicker } from "./GoalPicker.tsx";
import { ShoppingPanel } from "./ShoppingPanel.tsx";
import type { ShopSession } from "./shopState.ts";
import { SourcePicker } from "./SourcePicker.tsx";
import { WatchPanel, type EpisodeChoice } from "./WatchPanel.tsx";
import { words as tripWords } from "./trip/words.ts";
import { words } from "../shared/shop/words.ts";
import { CheckBox } from "../../ui/Field.tsx";

export type ShopTab = "credit" | "shop" | "watch";

interface ShopPanelProps {
  session: ShopSession;
  /** The tab it opens with. */
  first: ShopTab;
  /** The page's head, with the tabs in it. */
  head: (tab: ShopTab, tabs: ReactNode) => ReactNode;
  /** The recorded trip. */
  trip: ReactNode;
}

export function ShopPanel({ session, first, head, trip }: ShopPanelProps) {
  const [tab, setTab] = useState(first);
  const [own, setOwn] = useState(false);
  const [episode, setEpisode] = useState<EpisodeChoice>("trained");
  const choose = (next: ShopTab, ownTrip = false) => {
    setOwn(ownTrip);
    if (ownTrip) setEpisode("own");
    setTab(next);
  };
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(next) => choose(next as ShopTab)}
      className="shop-panel"
      data-tab={tab}
    >
      {head(tab, <ShopTabs />)}
      <Tabs.Content value="credit" tabIndex={-1}>
        {trip}
      </Tabs.Content>
      <div className={tab === "credit" ? undefined : "panel"}>
        {/* The trained model's episodes have their own shop and goal. */}
        {tab !== "credit" && !(tab === "watch" && episode === "trained") && (
          <TaskForm session={session} />
        )}
        <Tabs.Content value="shop" tabIndex={-1}>
          <ShoppingPanel session={session} onWatch={() => choose("watch", true)} />
        </Tabs.Content>
        <Tabs.Content value="watch" tabIndex={-1}>
          <WatchPanel {...{ session, own, choice: episode, onChoose: setEpisode }} />
        </Tabs.Content>
      </div>
    </Tabs.Root>
  );
}

const TABS: Readonly<Record<ShopTab, string>> = {
  credit: tripWords.tab,
  shop: words.shopYourself,
  watch: words.watch,
};

function ShopTabs() {
  return (
    <Tabs.List className="tabs" aria-label={words.title}>
      {Object.entries(TABS).map(([tab, name]) => (
        <Tabs.Trigger key={tab} value={tab} data-testid={`tab-${tab}`}>
          {name}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
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
