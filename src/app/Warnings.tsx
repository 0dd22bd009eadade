/** What could not be used of a link, a notebook or a recording. */
import { appWords } from "./strings.ts";

interface WarningsProps {
  warnings: readonly string[];
  title?: string;
}

export function Warnings({ warnings, title = appWords.warnings }: WarningsProps) {
  if (warnings.length === 0) return null;
  return (
    <div className="notice notice-warning" data-testid="warnings">
      <strong>{title}</strong>
      <ul>
        {warnings.map((warning, i) => (
          <li key={i}>{warning}</li>
        ))}
      </ul>
    </div>
  );
}
