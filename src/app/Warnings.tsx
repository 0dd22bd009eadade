/** What could not be used of a link, a notebook or a recording. */
import { appWords } from "./strings.ts";

export function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <div className="notice notice-warning" data-testid="warnings">
      <strong>{appWords.warnings}</strong>
      <ul>
        {warnings.map((warning, i) => (
          <li key={i}>{warning}</li>
        ))}
      </ul>
    </div>
  );
}
