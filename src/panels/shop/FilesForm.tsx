/** WebShop's files, dropped or selected, and how to read them. */
import { useId, useState, type DragEvent } from "react";
import { wholeNumber } from "./GoalPicker.tsx";
import {
  FILE_KINDS,
  kindOfFile,
  type FileKind,
  type LoadRequest,
  type PickedFiles,
} from "./loadFiles.ts";
import type { Reading } from "./shopState.ts";
import { words } from "../shared/shop/words.ts";
import { Button } from "../../ui/Button.tsx";
import { Select } from "../../ui/Field.tsx";

interface FilesFormProps {
  reading: Reading;
  onOpen: (request: LoadRequest) => void;
  onCancel: () => void;
}

const { files: w } = words;

/** The size of WebShop's small set. The page is blocked while more are indexed. */
const USUAL_LIMIT = 1000;

export function FilesForm({ reading, onOpen, onCancel }: FilesFormProps) {
  const [picked, setPicked] = useState<PickedFiles>({});
  const [unknown, setUnknown] = useState<string[]>([]);
  const take = (list: FileList | null) => {
    const given = [...(list ?? [])];
    const known = given.flatMap((file) => {
      const kind = kindOfFile(file.name);
      return kind ? [[kind, file] as const] : [];
    });
    setPicked({ ...picked, ...Object.fromEntries(known) });
    setUnknown(given.filter(({ name }) => kindOfFile(name) === null).map(({ name }) => name));
  };
  return (
    <div className="files">
      <DropZone onFiles={take} />
      <PickedList picked={picked} />
      <p role="status" className="field-problem shop-line" data-testid="unknown-files">
        {unknown.length > 0 && w.unknown(unknown)}
      </p>
      <HowToRead picked={picked} reading={reading} onOpen={onOpen} onCancel={onCancel} />
      <p role="status" className="shop-line" data-testid="reading">
        {readingWords(reading)}
      </p>
      {reading.state === "failed" && (
        <div role="alert" className="notice notice-problem" data-testid="files-problem">
          <strong>{w.failed}</strong>
          <p>{reading.message}</p>
        </div>
      )}
    </div>
  );
}

/** Which goals, how many products, and the button. */
function HowToRead({
  picked,
  reading,
  onOpen,
  onCancel,
}: FilesFormProps & { picked: PickedFiles }) {
  const [wanted, setWanted] = useState<LoadRequest["goals"]>("synthetic");
  const [limitText, setLimitText] = useState(String(USUAL_LIMIT));
  const limit = wholeNumber(limitText, Number.MAX_SAFE_INTEGER);
  const { products, attributes, human = null } = picked;
  const goals = human ? wanted : "synthetic";
  const request =
    products && attributes && limit ? { products, attributes, human, goals, limit } : null;
  const busy = reading.state === "reading" || reading.state === "indexing";
  return (
    <>
      <div className="toolbar files-how">
        <label>
          {w.goals}
          <Select
            value={goals}
            data-testid="goals-kind"
            options={[
              ["synthetic", w.synthetic],
              ["human", w.people, !human],
            ]}
            onPick={setWanted}
          />
        </label>
        <label>
          {w.limit}
          <input
            inputMode="numeric"
            value={limitText}
            aria-invalid={!limit || undefined}
            onChange={({ target }) => setLimitText(target.value)}
          />
        </label>
        <Button
          look="primary"
          disabled={request === null || busy}
          data-testid="open-files"
          onClick={() => request && onOpen(request)}
        >
          {w.open}
        </Button>
        {busy && <Button onClick={onCancel}>{w.cancel}</Button>}
      </div>
      {!limit && <p className="field-problem">{w.limitProblem(limitText)}</p>}
    </>
  );
}

function DropZone({ onFiles }: { onFiles: (list: FileList | null) => void }) {
  const [over, setOver] = useState(false);
  const id = useId();
  const drag = (event: DragEvent, entering: boolean) => {
    event.preventDefault();
    setOver(entering);
  };
  return (
    <div
      className="drop"
      data-over={over}
      data-testid="drop"
      onDragOver={(event) => drag(event, true)}
      onDragLeave={(event) => drag(event, false)}
      onDrop={(event) => {
        drag(event, false);
        onFiles(event.dataTransfer.files);
      }}
    >
      <label htmlFor={id}>{`${w.drop} ${w.pick}`}</label>
      <input
        id={id}
        type="file"
        multiple
        accept=".json,application/json"
        data-testid="files"
        onChange={({ target }) => onFiles(target.files)}
      />
      <p className="note">{w.private}</p>
    </div>
  );
}

/** Which of the three files are present. */
function PickedList({ picked }: { picked: PickedFiles }) {
  return (
    <dl className="facts picked" data-testid="picked">
      {FILE_KINDS.map((kind) => (
        <div key={kind}>
          <dt>{w[kind]}</dt>
          <dd>{pickedWords(kind, picked[kind])}</dd>
        </div>
      ))}
    </dl>
  );
}

function pickedWords(kind: FileKind, file: File | undefined): string {
  if (file) return `✓ ${file.name}`;
  return kind === "human"
    ? `${w.patterns.human}: ${w.optional}`
    : `${w.patterns[kind]}: ${w.missing}`;
}

function readingWords(reading: Reading): string {
  if (reading.state === "indexing") return w.indexing;
  if (reading.state !== "reading") return "";
  const { progress } = reading;
  if (!progress) return w.reading("…", "");
  const { file, bytes, size } = progress;
  const share = size
    ? `${Math.floor((100 * bytes) / size)}\u00a0%`
    : `${Math.round(bytes / 1e6)}\u00a0MB`;
  return w.reading(file, share);
}
