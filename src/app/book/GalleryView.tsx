/** All notebooks: the site's and the reader's own; or the latter alone. */
import { useRef, useState } from "react";
import type { KeptNotebook } from "../../runtime/shelf/notebooks.ts";
import { Empty } from "../../ui/Empty.tsx";
import { Button } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { say } from "../../ui/toasts.ts";
import { CourseIndex } from "../course/CourseIndex.tsx";
import { readLesson } from "../course/lessonFile.ts";
import { useNotebookTexts } from "../course/useNotebookTexts.ts";
import { dropKept } from "../keptRuns.ts";
import { bookHash } from "./bookAddress.ts";
import { duplicateBook } from "./duplicateBook.ts";
import { cellCounts, GalleryCard } from "./GalleryCard.tsx";
import { useGallery } from "./galleryState.ts";
import { NotebookPicture } from "./NotebookPicture.tsx";
import { createBlank, keptNow, renameBook, shelf } from "./openBook.ts";
import { ACCEPTED, openFile } from "./openFile.ts";
import { KeptStorage } from "./StorageUse.tsx";
import { words as all } from "./words.ts";

const words = all.gallery;

export function GalleryView({ isOwn = false }: { isOwn?: boolean }) {
  const [state, refresh] = useGallery();
  const change = async (id: string, deleted: string | undefined) => {
    const now = await keptNow(id);
    if (now) await shelf.put({ ...now, deleted });
    await refresh();
  };
  const remove = async (notebook: KeptNotebook) => {
    await change(notebook.id, new Date().toISOString());
    const run = () => void change(notebook.id, undefined);
    const text = words.removed(notebook.title);
    say({ text, action: { name: words.restore, run }, testId: "removed" });
  };
  const duplicate = async (listed: KeptNotebook) => {
    const { id, text, isForeign } = (await keptNow(listed.id)) ?? listed;
    await duplicateBook(id, text, isForeign);
    await refresh();
  };
  const rename = async (notebook: KeptNotebook, title: string) => {
    const isDone = await renameBook(notebook, title);
    await refresh();
    return isDone;
  };
  return (
    <article className="gallery" data-testid="gallery">
      <GalleryHead isOwn={isOwn} />
      {!isOwn && (
        <>
          <CourseIndex />
          <Served />
          <h2>
            {words.yours} <span className="note">{words.kept}</span>
          </h2>
        </>
      )}
      {state !== null && state.notebooks.length > 0 && !state.isSafe && (
        <p className="note" data-testid="may-go">
          {words.mayGo}
        </p>
      )}
      {state?.notebooks.length === 0 && <Empty>{words.none}</Empty>}
      <ul className="gallery-cards gallery-owns">
        {state?.notebooks.map((one) => (
          <GalleryCard
            key={one.notebook.id}
            {...one}
            onRename={(title) => rename(one.notebook, title)}
            onDuplicate={() => void duplicate(one.notebook)}
            onRemove={() => void remove(one.notebook)}
          />
        ))}
      </ul>
      {state && <KeptStorage {...state} onDrop={(id) => void dropKept(id).then(refresh)} />}
    </article>
  );
}

function GalleryHead({ isOwn }: { isOwn: boolean }) {
  const create = async () => void (location.hash = await createBlank());
  return (
    <header className="gallery-head">
      <div>
        <h1>{isOwn ? words.yours : words.title}</h1>
        <p>{isOwn ? words.introOwn : words.intro}</p>
      </div>
      <div className="buttons">
        <OpenFile />
        <Button look="primary" data-testid="new-notebook" onClick={() => void create()}>
          <Icon name="plus" />
          {words.create}
        </Button>
      </div>
    </header>
  );
}

/** The site's notebooks that are not lessons; the first one is opened by default. */
const SERVED = ["first", "talker", "code"] as const;

function Served() {
  const texts = useNotebookTexts(SERVED);
  return (
    <>
      <h2>{words.read}</h2>
      <ul className="gallery-cards gallery-owns">
        {SERVED.flatMap((name, i) => {
          const text = texts.get(name);
          const hash = bookHash(i === 0 ? { kind: "opening" } : { kind: "served", name });
          return text === undefined ? [] : [<ServedCard key={name} text={text} hash={hash} />];
        })}
      </ul>
    </>
  );
}

function ServedCard({ text, hash }: { text: string; hash: string }) {
  const { title, cells, about } = readLesson(text);
  return (
    <li className="gallery-card gallery-own" data-testid="served-card">
      <NotebookPicture cells={cells} runs={[]} />
      <div>
        <a href={hash}>
          <strong>{title}</strong>
        </a>
        <p className="gallery-about">{about}</p>
        <p className="note">{cellCounts(cells)}</p>
      </div>
    </li>
  );
}

function OpenFile() {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const take = async (file: File | undefined) => {
    if (!file) return;
    const { hash, problem: why } = await openFile(file);
    setProblem(why);
    if (hash !== null) location.hash = hash;
  };
  return (
    <>
      {problem !== null && (
        <span role="alert" className="notice notice-problem">
          {problem}
        </span>
      )}
      <input
        ref={input}
        type="file"
        accept={ACCEPTED}
        hidden
        data-testid="notebook-file"
        onChange={({ currentTarget }) => {
          void take(currentTarget.files?.[0]);
          currentTarget.value = "";
        }}
      />
      <Button onClick={() => input.current?.click()}>
        <Icon name="file" />
        {words.open}
      </Button>
    </>
  );
}
