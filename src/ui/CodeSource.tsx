/** Read-only code in a scrolling box, also by keyboard. */
export function CodeSource({ text, label }: { text: string; label: string }) {
  return (
    <div className="code-source" tabIndex={0} role="group" aria-label={label}>
      <pre>
        <code>{text}</code>
      </pre>
    </div>
  );
}
