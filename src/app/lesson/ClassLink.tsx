/** The link that a teacher hands out: made by one press, shown as a QR code that fills a projector. */
import { useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import type { StoreApi } from "zustand/vanilla";
import { LONGEST_LINK, notebookToWord } from "../../notebook/sharedText.ts";
import type { ClassSetup } from "../../reading/classroom/classResults.ts";
import type { Classroom } from "../../store/classroom.ts";
import { copyText } from "../../ui/clipboard.ts";
import { Button } from "../../ui/Button.tsx";
import { Field } from "../../ui/Field.tsx";
import { MOST_IN_QR } from "../shell/CopyResult.tsx";
import { QrCode } from "../shell/QrCode.tsx";
import { words as shellWords } from "../shell/words.ts";
import type { FieldsOf } from "../../notebook/cellFields.ts";
import { changeBody, type FieldChange } from "../../notebook/body.ts";
import type { TypedCell } from "../../notebook/cell.ts";
import { serialiseNotebook } from "../../notebook/document.ts";
import { withExperiment } from "../../notebook/cells/experiment/experiment.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { bookHash } from "../book/bookAddress.ts";
import { classWords as words } from "./words.ts";

interface LinkProps {
  setup: ClassSetup;
  fields: FieldsOf<"class">;
}

export function ClassLink({ room, ...props }: LinkProps & { room: StoreApi<Classroom> }) {
  const { fields } = props;
  const typed = useStore(room, (state) => state.name);
  const name = fields.name ?? typed;
  const [isMade, setMade] = useState(false);
  const make = () => {
    if (name === "") room.setState({ name: drawnName() });
    setMade(true);
  };
  return (
    <>
      {fields.name === undefined ? (
        <ClassName room={room} />
      ) : (
        <p className="note">{words.isNamed(fields.name)}</p>
      )}
      {isMade && name !== "" ? (
        <Made {...props} fields={{ ...fields, name }} />
      ) : (
        <div className="buttons">
          <Button data-testid="class-make-link" onClick={make}>
            {words.makeLink}
          </Button>
          <span className="note">{words.linkHint}</span>
        </div>
      )}
    </>
  );
}

/** Random, when the teacher gives none: two such classes have other seeds, too. */
function drawnName(): string {
  return words.drawnName(crypto.getRandomValues(new Uint32Array(1))[0]!.toString(36));
}

function ClassName({ room }: { room: StoreApi<Classroom> }) {
  const name = useStore(room, (state) => state.name);
  return (
    <Field label={words.name} hint={words.nameHint}>
      {(control) => (
        <input
          {...control}
          autoComplete="off"
          maxLength={40}
          value={name}
          data-testid="class-name"
          onChange={({ currentTarget: { value } }) => room.setState({ name: value.trimStart() })}
        />
      )}
    </Field>
  );
}

function Made({ setup: { spec }, fields }: LinkProps) {
  const link = useMemo(() => classLinkOf(spec, fields), [spec, fields]);
  if (link.length > LONGEST_LINK)
    return <p className="notice">{words.linkTooLong(link.length, LONGEST_LINK)}</p>;
  return <Shown link={link} />;
}

function Shown({ link }: { link: string }) {
  const figure = useRef<HTMLElement>(null);
  const [said, setSaid] = useState(words.linkMade(link.length));
  const copy = async () => setSaid((await copyText(link)) ? words.copied : words.notCopied);
  const hasQr = link.length <= MOST_IN_QR;
  return (
    <figure ref={figure} className="class-link" aria-label={words.linkIs}>
      {hasQr ? <QrCode text={link} /> : <p className="note">{shellWords.qrTooLong(MOST_IN_QR)}</p>}
      <figcaption>
        <a href={link} data-testid="class-link">
          {words.linkIs}
        </a>
        <div className="buttons">
          <Button look="primary" data-testid="class-copy" onClick={() => void copy()}>
            {words.copyClass}
          </Button>
          {hasQr && document.fullscreenEnabled && (
            <Button onClick={() => void figure.current?.requestFullscreen()}>{words.large}</Button>
          )}
          <span className="note" role="status">
            {said}
          </span>
        </div>
      </figcaption>
    </figure>
  );
}

/** @param spec pinned to WebAssembly, with the seed of desk 0 of this class; @returns the notebook's text. */
function classNotebook(spec: ExperimentSpec, fields: FieldsOf<"class">): string {
  const cell = { of: null, flags: [] };
  const experiment: TypedCell = {
    ...cell,
    type: "experiment",
    id: "experiment",
    flags: ["fold"],
    body: withExperiment("", spec),
  };
  const changes = Object.entries(fields).map(([name, value]): FieldChange => {
    return { path: [name], value };
  });
  const room: TypedCell = {
    ...cell,
    type: "class",
    id: "class",
    of: experiment.id,
    body: changeBody("", changes),
  };
  const prose = { type: "prose", markdown: `# ${words.title}\n\n${words.steps}` } as const;
  return serialiseNotebook({ cells: [prose, room, experiment] });
}

/** The whole address. */
function classLinkOf(spec: ExperimentSpec, fields: FieldsOf<"class">): string {
  const word = notebookToWord(classNotebook(spec, fields));
  return new URL(bookHash({ kind: "text", word }), location.href).href;
}
