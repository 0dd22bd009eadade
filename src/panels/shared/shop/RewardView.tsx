/** A purchase's reward term by term: each wanted thing, what it was compared with, and the sum. */
import { useId, type ReactNode } from "react";
import { formatNumber } from "../../../numeric/format.ts";
import type { Goal, Options, Product } from "../../../env/webshop/product.ts";
import { ALIKE, type AttributeMatch, type Reward } from "../../../env/webshop/reward.ts";
import { Table } from "../../../ui/DataTable.tsx";
import { closestAttribute, optionScores, type OptionScore } from "./scores.ts";
import { dollars, rewardInNumbers } from "./rewardFormula.ts";
import { words } from "./words.ts";

const { reward: r } = words;

interface RewardViewProps {
  reward: Reward;
  product: Product;
  goal: Goal;
  /** Selected when it was bought. */
  options: Options;
}

export function RewardView({ reward, product, goal, options }: RewardViewProps) {
  const id = useId();
  return (
    <section className="reward" aria-labelledby={id} data-testid="reward">
      <h4 id={id}>{r.title}</h4>
      <p className="reward-total" data-testid="reward-total">
        {r.total} <strong className="number">{formatNumber(reward.reward)}</strong>{" "}
        <span className={reward.reward >= 1 ? "good" : "note"}>
          {reward.reward >= 1 ? r.success : r.noSuccess}
        </span>
      </p>
      <p className="formula number" data-testid="reward-formula">
        {rewardInNumbers(reward)}
      </p>
      <p className="note">{r.formula}</p>
      <TypeTerm reward={reward} />
      <Terms title={r.attributes} hint={r.attributesHint(ALIKE)} testId="reward-attributes">
        {reward.matches.attributes.map((match, i) => (
          <AttributeRow key={i} match={match} product={product} />
        ))}
      </Terms>
      {reward.rOption === null ? (
        <p className="note">{r.noOptions}</p>
      ) : (
        <Terms title={r.options} hint={r.optionsHint(ALIKE)} testId="reward-options">
          {optionScores(reward, goal, options).map((score, i) => (
            <OptionRow key={i} score={score} />
          ))}
        </Terms>
      )}
      <Terms title={r.price} hint={null} testId="reward-price">
        <TermRow wanted={priceWanted(goal)} got={reward.rPrice === true}>
          {priceWords(product, goal, reward)}
        </TermRow>
      </Terms>
    </section>
  );
}

function TypeTerm({ reward }: { reward: Reward }) {
  const { rType, queryMatch, categoryMatch, titleScore } = reward;
  return (
    <div data-testid="reward-type">
      <h5>{`${r.type}: × ${rType}`}</h5>
      <p className="note">{`${r.typeHint} ${r.typeRules[rType as keyof typeof r.typeRules]}`}</p>
      <dl className="facts reward-type">
        <div>
          <dt>{r.sameQuery}</dt>
          <dd>{queryMatch ? r.yes : r.no}</dd>
        </div>
        <div>
          <dt>{r.sameCategory}</dt>
          <dd>{categoryMatch ? r.yes : r.no}</dd>
        </div>
        <div>
          <dt>{r.titleScore}</dt>
          <dd className="number">{formatNumber(titleScore)}</dd>
        </div>
      </dl>
    </div>
  );
}

interface TermsProps {
  title: string;
  hint: string | null;
  testId: string;
  children: ReactNode;
}

function Terms({ title, hint, testId, children }: TermsProps) {
  return (
    <Table
      label={title}
      className="terms"
      testId={testId}
      caption={
        <>
          <strong>{title}</strong>
          {hint !== null && <span className="note">{hint}</span>}
        </>
      }
      head={
        <>
          <th scope="col">{r.wanted}</th>
          <th scope="col">{r.found}</th>
          <th scope="col">{r.points}</th>
        </>
      }
    >
      {children}
    </Table>
  );
}

function TermRow({ wanted, got, children }: { wanted: string; got: boolean; children: ReactNode }) {
  return (
    <tr data-got={got}>
      <th scope="row">{wanted}</th>
      <td>{children}</td>
      <td className={got ? "good" : "bad"}>{got ? "✓ 1" : "✗ 0"}</td>
    </tr>
  );
}

function AttributeRow({ match, product }: { match: AttributeMatch; product: Product }) {
  const { wanted, by } = match;
  const { text, score } = closestAttribute(wanted, product);
  const found = by === "attribute" ? r.by.attribute(text!, score) : by && r.by[by];
  return (
    <TermRow wanted={wanted} got={by !== null}>
      {found ?? r.notBy(text, score)}
    </TermRow>
  );
}

function OptionRow({ score: { wanted, satisfied, text, score, reduced } }: { score: OptionScore }) {
  const found = satisfied ? r.chosen(text!, score) : r.notChosen(text, score);
  return (
    <TermRow wanted={wanted} got={satisfied}>
      {reduced === null ? found : `${found}; ${r.reduced(text!, reduced)}`}
    </TermRow>
  );
}

function priceWanted({ priceUpper }: Goal): string {
  return limited(priceUpper) ? r.atMost(dollars(priceUpper)) : r.anyPrice;
}

function priceWords({ price }: Product, { priceUpper }: Goal, { rPrice }: Reward): string {
  if (!limited(priceUpper)) return r.priceFree(dollars(price));
  const say = rPrice === true ? r.priceWithin : r.priceAbove;
  return say(dollars(price), dollars(priceUpper));
}

/** WebShop writes "any price" as a million dollars. */
function limited(priceUpper: number): boolean {
  return priceUpper < 1_000_000;
}
