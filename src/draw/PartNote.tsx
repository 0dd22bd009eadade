/** Of many cards or rows those around the cursor are drawn. */

/** Cards or rows that are drawn at once. */
export const MOST_SHOWN = 64;

/** Says how many are drawn; nothing where all are. */
export function PartNote({ shown, of }: { shown: number; of: number }) {
  if (shown === of) return null;
  return <p className="note">{`${shown} of ${of} are shown, those around the cursor.`}</p>;
}
