/** The lessons of the course: pictures, steps and words, and the reader's progress. */
import { memo, useState } from "react";
import { lessonSteps, wordsToRead } from "../../notebook/cells/lesson/steps.ts";
import { bookHash } from "../book/bookAddress.ts";
import { COURSE, GUIDE, QUIZ } from "./course.ts";
import { readLesson } from "./lessonFile.ts";
import { LessonPicture } from "./LessonPicture.tsx";
import { readProgress, type LessonProgress } from "./progress.ts";
import { useNotebookTexts } from "./useNotebookTexts.ts";
import { words } from "./words.ts";
import "./course.css";

export function CourseIndex() {
  const texts = useNotebookTexts(COURSE);
  const [progress] = useState(readProgress);
  const lessons = COURSE.flatMap((name, number) => {
    const text = texts.get(name);
    return text === undefined ? [] : [{ name, number, text }];
  });
  return (
    <section data-testid="course">
      <h2>
        {words.title}{" "}
        <span className="note">{lessons.length > 0 && words.order(lessons.length)}</span>
      </h2>
      <ul className="gallery-cards course-cards">
        {lessons.map((one) => (
          <LessonCard key={one.name} {...one} progress={progress.get(one.name)} />
        ))}
      </ul>
      <ul className="course-more">
        <More name={QUIZ} title={words.quiz} hint={words.quizHint} />
        <More name={GUIDE} title={words.guide} hint={words.guideHint} />
      </ul>
    </section>
  );
}

interface LessonCardProps {
  name: string;
  number: number;
  text: string;
  progress: LessonProgress | undefined;
}

/** Lessons come one after another: none is read and drawn again for those after it. */
const LessonCard = memo(function LessonCard({ name, number, text, progress }: LessonCardProps) {
  const { title, about, cells } = readLesson(text);
  const steps = lessonSteps(cells.map((cell, key) => ({ key, cell })));
  return (
    <li className="gallery-card course-card" data-testid="lesson-card" data-lesson={name}>
      <LessonPicture cells={cells} title={title} />
      <div>
        <a href={bookHash({ kind: "served", name })}>
          <strong>{words.card(number, title)}</strong>
        </a>
        <p className="gallery-about">{about}</p>
        <p className="note" data-testid="lesson-progress">
          {progress ? (
            <Done {...progress} of={steps.length} />
          ) : (
            words.length(steps.length, wordsToRead(steps))
          )}
        </p>
      </div>
    </li>
  );
});

function Done({ seen, of }: LessonProgress) {
  if (seen >= of) return words.done;
  return (
    <>
      <progress value={seen} max={of} aria-hidden="true" /> {words.step(seen, of)}
    </>
  );
}

function More({ name, title, hint }: { name: string; title: string; hint: string }) {
  return (
    <li>
      <a href={bookHash({ kind: "served", name })} data-testid={`to-${name}`}>
        {title}
      </a>{" "}
      <span className="note">{hint}</span>
    </li>
  );
}
