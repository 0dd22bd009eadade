/** A trained model's episodes in the shop, from a file next to the page: to watch without a run. */
import { Suspense, useMemo, useState } from "react";
import { generatedShop } from "../../reading/shop/generatedShop.ts";
import { readShopper, type Shopper } from "../../reading/shop/shopper.ts";
import { ReplayView } from "../shared/shop/ReplayView.tsx";
import { useShopMade } from "../shared/shop/useShopMade.ts";
import { words } from "../shared/shop/words.ts";
import { Folded } from "../../ui/Folded.tsx";
import { useServed } from "../../ui/parts/served.ts";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";

const { replay: w } = words;

const FILE = "figures/shopper.json";

export function TrainedShopper() {
  const shopper = useServed(FILE, readShopper);
  const waiting = <Empty>{w.opening}</Empty>;
  if (shopper === null) return waiting;
  if (shopper === "missing") return <Empty>{w.trainedMissing}</Empty>;
  return (
    <Suspense fallback={waiting}>
      <Episodes shopper={shopper} />
    </Suspense>
  );
}

function Episodes({ shopper }: { shopper: Shopper }) {
  const { catalogSeed, maxTurns, goal, episodes, weights, command, rule } = shopper;
  useShopMade(catalogSeed);
  const [at, setAt] = useState(() => best(shopper));
  const episode = useMemo(
    () => ({
      catalogue: generatedShop(catalogSeed),
      setup: { goal, seed: goal, showAttributes: false, maxTurns },
      texts: episodes[at]!.texts,
    }),
    [catalogSeed, goal, maxTurns, episodes, at],
  );
  const { method, model, iterations, heldout, preset, seed, fingerprint } = weights;
  return (
    <div className="trained" data-testid="trained-shopper">
      <p>
        <strong>{w.weights(method, model, iterations)}</strong>{" "}
        {heldout &&
          w.heldout(heldout.before.toFixed(2), heldout.after.toFixed(2), heldout.temperature)}
      </p>
      <fieldset className="attempts">
        <legend className="note">{w.attempts(episodes.length)}</legend>
        {episodes.map(({ reward }, i) => (
          <Button key={i} aria-pressed={i === at} onClick={() => setAt(i)}>
            <span className="visually-hidden">{w.attempt} </span>
            {w.scored(i + 1, reward.toFixed(2))}
          </Button>
        ))}
      </fieldset>
      <ReplayView key={at} episode={episode} />
      <p className="note">
        {w.noCredit} <a href={w.guess.href}>{w.guess.text}</a>{" "}
        <a href="#lesson/shop">{w.creditLesson}</a>
      </p>
      <Folded title={w.made}>
        <p className="note">
          {rule} {`Preset ${preset}, seed ${seed}, run ${fingerprint.slice(0, 12)}.`}{" "}
          <code>{command}</code>
        </p>
      </Folded>
    </div>
  );
}

/** The attempt with the highest reward is shown first. */
function best({ episodes }: Shopper): number {
  return episodes.reduce((top, { reward }, i) => (reward > episodes[top]!.reward ? i : top), 0);
}
