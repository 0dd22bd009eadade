/** Code to read: it scrolls in a box of its own, by keyboard too. */
export function CodeSource({ text, label }: { text: string; label: string }) {
  return (
    <div className="code-source" tabIndex={0} role="group" aria-label={label}>
      <pre>
        <code>{text}</code>
      </pre>
    </div>
  );
}
