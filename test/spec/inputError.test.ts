import { expect, it } from "vitest";
import { InputError, show } from "../../src/numeric/inputError.ts";

it("an InputError is one line that commands no terminal, whatever it quotes", () => {
  const hostile = ["a\nb", "a \r\n b", "a\u2028b", "a\u0085b", "a\u001bb", "a\u0000\u0007b"];
  for (const text of hostile) {
    expect(new InputError(`cannot read ${text} (ENOENT)`).message).toBe("cannot read a b (ENOENT)");
    expect(new InputError(show(text)).message).not.toMatch(/\p{Cc}|\p{Zl}/u);
  }
});

it("leaves everything else as it is", () => {
  const sentence = 'size is "√ – 中";  allowed: 6x6';
  expect(new InputError(sentence).message).toBe(sentence);
});
