/** The text without a letter at its ends, however often it is repeated there. */
export function trimLetter(text: string, letter: string): string {
  // A pattern such as -+$ would try every run inside the text from each position.
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === letter) start++;
  while (end > start && text[end - 1] === letter) end--;
  return text.slice(start, end);
}
