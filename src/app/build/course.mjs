/** The course at build time: which notebooks are lessons, and in which order, from the files of the lessons alone. */
import { readdirSync, readFileSync } from "node:fs";
import { join, parse } from "node:path";

/** The number that a lesson's cell gives. */
const NUMBER = /^```lesson\b.*\n(?:(?!```).*\n)*?number: (\d+)$/m;

/** Names of the lessons in order. @param {string} root @returns {string[]} @throws Error if their numbers are not 0, 1, 2, and so on */
export function courseOf(root) {
  const folder = join(root, "public", "notebooks");
  const lessons = readdirSync(folder)
    .filter((file) => file.endsWith(".md"))
    .map((file) => ({
      name: parse(file).name,
      number: NUMBER.exec(readFileSync(join(folder, file), "utf8"))?.[1],
    }))
    .filter(({ number }) => number !== undefined)
    .sort((a, b) => Number(a.number) - Number(b.number));
  for (const [at, { name, number }] of lessons.entries())
    if (Number(number) !== at)
      throw new Error(`public/notebooks/${name}.md has number ${number}; the next is ${at}.`);
  return lessons.map(({ name }) => name);
}

/** What `src/app/course/course.ts` reads, for `define` of a build. @param {string} root */
export const courseDefine = (root) => ({ __COURSE__: JSON.stringify(courseOf(root)) });
