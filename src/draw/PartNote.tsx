/** If there are many cards or rows, those around the cursor are drawn. */

/** Limit of cards or rows that are drawn. */
export const MOST_SHOWN = 64;

/** Says how many are drawn; nothing if all are. */
export function PartNote({ shown, of }: { shown: number; of: number }) {
  if (shown === of) return null;
  return <p className="note">{`${shown} of ${of} are shown, those around the cursor.`}</p>;
}
