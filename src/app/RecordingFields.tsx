/** The fields of a recording, to be unfolded beside the button that opens one. */
import { recordingWords as words } from "./recordingWords.ts";

export function RecordingFields() {
  return (
    <details className="recording-fields" data-testid="recording-fields">
      <summary>{words.title}</summary>
      <p>{words.form}</p>
      <dl>
        {words.kinds.map(([kind, fields]) => (
          <div key={kind}>
            <dt>{kind}</dt>
            <dd>{fields}</dd>
          </div>
        ))}
      </dl>
      <p>{words.exampleTitle}</p>
      <pre>{words.example}</pre>
    </details>
  );
}
