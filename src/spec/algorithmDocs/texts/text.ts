/** The text of one algorithm's page: four short paragraphs of plain English. */
export interface DocText {
  /** What it does. */
  does: string;
  /** The problem that it answers. */
  answers: string;
  /** What to watch while it trains. */
  watch: string;
  /** Where the definition comes from, and what the sources leave open. */
  sources: string;
}
