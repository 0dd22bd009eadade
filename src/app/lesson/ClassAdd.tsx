/** How codes reach the teacher: pasted, from files, or held before the camera. */
import { useRef, useState } from "react";
import type { StoreApi } from "zustand/vanilla";
import { codesIn } from "../../reading/classroom/resultCode.ts";
import { addCodes, MOST_CODES, type Classroom } from "../../store/classroom.ts";
import { Button } from "../../ui/Button.tsx";
import { Field } from "../../ui/Field.tsx";
import { lazyPart } from "../../ui/parts/lazyPart.tsx";
import { classWords as words } from "./words.ts";

/** The QR reader is loaded only when the camera is used. */
const ClassCamera = lazyPart(
  "ClassCamera",
  () => import("./ClassCamera.tsx"),
  words.camera.opening,
);

export function ClassAdd({ room }: { room: StoreApi<Classroom> }) {
  const [text, setText] = useState("");
  const [said, setSaid] = useState("");
  const [looks, setLooks] = useState(false);
  /** @returns how many codes it had. */
  const take = (given: string, cut: readonly string[] = []) => {
    const found = codesIn(given);
    const said = [words.added(addCodes(room, found), found.length)];
    if (room.getState().codes.length === MOST_CODES) said.push(words.full(MOST_CODES));
    if (cut.length > 0) said.push(words.cut(cut));
    setSaid(said.join(" "));
    return found.length;
  };
  const addPasted = () => {
    if (take(text) > 0) setText("");
  };
  return (
    <>
      <Field label={words.paste} hint={words.pasteHint}>
        {(control) => (
          <textarea
            {...control}
            rows={3}
            value={text}
            data-testid="class-paste"
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
      </Field>
      <div className="buttons">
        <Button
          look="primary"
          data-testid="class-add"
          disabled={text.trim() === ""}
          onClick={addPasted}
        >
          {words.add}
        </Button>
        <Files onText={take} />
        <Button
          aria-expanded={looks}
          data-testid="class-use-camera"
          onClick={() => setLooks(!looks)}
        >
          {looks ? words.camera.close : words.camera.open}
        </Button>
        <span className="note" role="status" data-testid="class-added">
          {said}
        </span>
      </div>
      {looks && <ClassCamera onText={take} />}
    </>
  );
}

/** For a file of codes: far more than a school has. */
const MOST_BYTES = 1_000_000;

function Files({ onText }: { onText: (text: string, cut: readonly string[]) => void }) {
  const file = useRef<HTMLInputElement>(null);
  const read = async (given: readonly File[]) => {
    const texts = await Promise.all(given.map((one) => one.slice(0, MOST_BYTES).text()));
    const large = given.filter(({ size }) => size > MOST_BYTES);
    if (texts.length > 0)
      onText(
        texts.join("\n"),
        large.map(({ name }) => name),
      );
  };
  return (
    <>
      <Button onClick={() => file.current?.click()}>{words.file}</Button>
      <input
        ref={file}
        type="file"
        multiple
        accept=".txt,.csv,.tsv,.md,text/*"
        hidden
        data-testid="class-file"
        onChange={({ currentTarget }) => {
          void read([...(currentTarget.files ?? [])]);
          currentTarget.value = "";
        }}
      />
    </>
  );
}
