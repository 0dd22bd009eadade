/** What the cells of the table show. */
export type Quantity = "advantage" | "ratio" | "clip";
