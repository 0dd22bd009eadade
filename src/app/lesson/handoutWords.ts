/** Words of a lesson on paper. */
export const handoutWords = {
  print: "Print",
  hint: "A4, without answers.",
  train: "This step trains at a screen: open the lesson there.",
  title: (number: number, title: string) => `Lesson ${number}: ${title}`,
  name: "Name:",
  open: "Handout",
};

/** Whether the address asks for the lesson on paper: `?handout` before the hash. */
export const asksForHandout = (search: string = location.search) =>
  new URLSearchParams(search).has("handout");
