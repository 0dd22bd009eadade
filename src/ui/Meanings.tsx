/** Explanations of a table's parts, collapsed: tooltips on headings do not reach every reader. */

interface MeaningsProps {
  title: string;
  meanings: readonly { name: string; hint: string }[];
}

export function Meanings({ title, meanings }: MeaningsProps) {
  return (
    <details className="meanings">
      <summary>{title}</summary>
      <dl>
        {meanings.map(({ name, hint }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{hint}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
