/**
 * Invented reviews. WebShop's own loader leaves every product without any and rates it "N.A."; ours
 * are shown by the same page, and what they say of a product is true of it.
 */
import type { Review } from "../product.ts";
import { pythonFloat } from "../pythonText.ts";
import type { Draws } from "../draws.ts";

const OPINIONS = [
  { score: 5, title: "Love it", body: "Exactly as described" },
  { score: 5, title: "Great buy", body: "Would buy again" },
  { score: 4, title: "Good value", body: "Arrived on time" },
  { score: 3, title: "Okay", body: "Does the job" },
  { score: 2, title: "Too late", body: "Took weeks to arrive" },
] as const;

/** None to three, each naming an attribute that the product has. */
export function makeReviews(query: string, attributes: readonly string[], draws: Draws): Review[] {
  const count = draws.below(4);
  return draws.sample(OPINIONS, count).map(({ score, title, body }) => {
    const remark = `My ${query}: really ${draws.choice(attributes)}.`;
    return { title, score, body: `${body}. ${remark}` };
  });
}

/** Mean score with one decimal, or WebShop's "N.A." */
export function ratingOf(reviews: readonly Review[]): string {
  if (reviews.length === 0) return "N.A.";
  const mean = reviews.reduce((sum, { score }) => sum + score, 0) / reviews.length;
  return pythonFloat(Math.round(mean * 10) / 10);
}
