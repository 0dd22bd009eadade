/** At the end of a lesson: the lessons beside it in the course. */
import { useMemo } from "react";
import { Icon } from "../../ui/Icon.tsx";
import { bookHash } from "../book/bookAddress.ts";
import { COURSE, neighboursOf } from "./course.ts";
import { readLesson } from "./lessonFile.ts";
import { useNotebookTexts } from "./useNotebookTexts.ts";
import { words } from "./words.ts";
import "./course.css";

/** @param name of the lesson; null of a notebook that is not the site's. */
export function CourseNext({ name }: { name: string | null }) {
  const { before, after } = neighboursOf(name);
  const names = useMemo(() => [before, after].filter((one) => one !== null), [before, after]);
  const texts = useNotebookTexts(names);
  const link = (to: string | null, say: (title: string) => string) => {
    const text = to === null ? undefined : texts.get(to);
    if (to === null || text === undefined) return null;
    return (
      <a href={bookHash({ kind: "served", name: to })} data-testid={`course-${to}`}>
        {say(words.card(COURSE.indexOf(to), readLesson(text).title))}
      </a>
    );
  };
  if (names.length === 0) return null;
  return (
    <nav className="course-next" aria-label={words.course}>
      {link(before, words.previous)}
      <span />
      {link(after, words.next)}
      {after !== null && texts.has(after) && <Icon name="next" size={14} />}
    </nav>
  );
}
