/** What the parts of a table mean, for those who unfold it: a hint on a heading is not seen by all. */

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
