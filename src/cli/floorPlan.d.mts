/** The plan and its table, as Markdown. */
export function floorPlan(): string;
/** The text with the plan between its marks. */
export function withPlan(text: string): string;
