/** Words of a lesson on paper. */
export const handoutWords = {
  print: "Print",
  hint: "Two pages A4, without answers.",
  title: (number: number, title: string) => `Lesson ${number}: ${title}`,
  name: "Name:",
  open: "Handout",
};

/** Whether the address asks for the lesson on paper: `?handout` before the hash. */
export const asksForHandout = (search: string = location.search) =>
  new URLSearchParams(search).has("handout");
