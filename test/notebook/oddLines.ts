/** Lines of which any text of a notebook may be made, and those that are easily taken for something else. */
import fc from "fast-check";

export const oddLine = fc.oneof(
  fc.constantFrom(
    "```experiment id=a",
    "```curves",
    "```turns of=a x",
    "```panel of=zz y=1 fold",
    "```code id=q defines=reward defines=magic a",
    "~~~quiz of=a `",
    "```code",
    "```",
    "````",
    "~~~",
    "```js",
    "# h",
    "<!-- cell -->",
    "<!-- cell after=q -->",
    "preset: nano",
    "  - [1, {a: 2}]",
    "",
    "   ```turns",
    "key = value",
    ' k =  " a "',
    "{",
    '{"a": {"b": [1, 2]}, "__proto__": 1}',
    "{=",
    "{ = 1",
    "-",
    "\t",
    "```turns of=a\u2028",
  ),
  fc.string({ maxLength: 12 }),
);

export const oddLines = fc.array(oddLine, { maxLength: 14 });
