/** The text of one algorithm's page: four short paragraphs of plain English. */
export interface DocText {
  /** What it does. */
  does: string;
  /** The problem that it solves. */
  answers: string;
  /** What to watch while it trains. */
  watch: string;
  /** Source of the definition, and what the sources leave open. */
  sources: string;
  /** Of a row of the table. Source of the definition: section of the paper, repository and path. */
  source?: string;
  /** Of a row of the table: what the sources leave open, and the choice made here. */
  uncertain?: string;
}

export type TableText = DocText & { source: string };
