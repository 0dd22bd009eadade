// @vitest-environment happy-dom
/** What a part of the page shows, as a table of numbers. */
import { expect, it } from "vitest";
import { jsonlOf } from "../../src/ui/csv.ts";
import { numbersIn } from "../../src/ui/tablesIn.ts";

function part(html: string): Element {
  const root = document.createElement("section");
  root.innerHTML = html;
  return root;
}

const TABLE = `<table><thead><tr><th>method</th><th>turn 1</th><th>turn 1</th></tr></thead><tbody>
  <tr><th>GRPO <span class="note">no critic</span></th><td data-value="0.123456789">+0.123</td><td>−0.5</td></tr>
  <tr><th>PPO</th><td colspan="2">not recorded</td></tr>
  <tr><th>RLOO</th><td><span data-value="NaN">–</span></td><td>–</td></tr>
</tbody></table>`;

it("has numbers in full where cells have them, and what one reads elsewhere", () => {
  expect(numbersIn(part(TABLE))).toEqual({
    name: "",
    head: ["method", "turn 1", "turn 1 (3)"],
    rows: [
      ["GRPO no critic", 0.123456789, -0.5],
      ["PPO", "not recorded", null],
      ["RLOO", null, null],
    ],
  });
});

it("joins several tables, each row with the name of its own", () => {
  const other = `<div role="group" aria-label="Turns"><table><thead><tr><th>turn</th></tr></thead>
    <tbody><tr><td>3</td></tr></tbody></table></div>`;
  const { head, rows } = numbersIn(part(TABLE + other));
  expect(head).toEqual(["table", "method", "turn 1", "turn 1 (3)", "turn"]);
  expect(rows.at(-1)).toEqual(["Turns", null, null, null, 3]);
  expect(jsonlOf(head, rows).split("\n")[3]).toBe(
    '{"table":"Turns","method":null,"turn 1":null,"turn 1 (3)":null,"turn":3}',
  );
});

it("reads lists of terms as rows, pictures by their names, and nothing where there is none", () => {
  const list = `<ol><li><h4>Turn 1</h4><dl><dt>reward</dt><dd data-value="-0.1">−0.10</dd></dl></li>
    <li><h4>Turn 2</h4><dl><dt>board</dt><dd><svg role="img" aria-label="A box"><text>x</text></svg></dd></dl></li></ol>`;
  expect(numbersIn(part(list))).toMatchObject({
    head: ["item", "reward", "board"],
    rows: [
      ["Turn 1", -0.1, null],
      ["Turn 2", null, "A box"],
    ],
  });
  expect(numbersIn(part("<p>Nothing</p>"))).toEqual({ head: [], rows: [] });
});

it("reads numbers with a minus in front and one in the exponent", () => {
  const row = "<table><tr><th>δ</th></tr><tr><td>−1.20e−5</td></tr></table>";
  expect(numbersIn(part(row)).rows.at(-1)).toEqual([-1.2e-5]);
});
