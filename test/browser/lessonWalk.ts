/** Walks a lesson as a student does: every step, every question wrong and right, every Run; what goes wrong is said by lesson and step. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { words } from "../../src/app/book/words.ts";
import type { TypedCell } from "../../src/notebook/cell.ts";
import { readFields, type FieldsOf } from "../../src/notebook/cellFields.ts";
import { parseNotebook } from "../../src/notebook/document.ts";
import { axeFaults } from "./axe.ts";
import type { Hand } from "./hands.ts";
import { by } from "./support.ts";

const folder = join(import.meta.dirname, "../../public/notebooks");

const cellsOf = (lesson: string) =>
  parseNotebook(readFileSync(join(folder, `${lesson}.md`), "utf8")).notebook.cells.filter(
    (cell): cell is TypedCell => cell.type !== "prose",
  );

/** Milliseconds that training may take on a busy machine. */
const TRAINS = 600_000;

/** Milliseconds in which a figure is drawn on a busy machine. */
const DRAWN = 120_000;

type Question = FieldsOf<"quiz">;

export class LessonWalk {
  /** One sentence each. */
  readonly faults: string[] = [];
  /** Those that readers answer or run. */
  readonly #cells: TypedCell[];

  constructor(
    readonly lesson: string,
    readonly page: Page,
    readonly hand: Hand,
    /** Whether experiments train for real. */
    trains: boolean,
  ) {
    this.#cells = cellsOf(lesson).filter(
      (cell) => isAnswered(cell) || isComputed(cell) || (trains && isTrained(cell)),
    );
  }

  /** From the step that is shown to the last one. */
  async toEnd(): Promise<void> {
    await by(this.page, "lesson").waitFor();
    const left = new Set(this.#cells);
    for (;;) {
      const step = await this.#step();
      for (const cell of left) {
        if ((await this.#place(cell).count()) === 0) continue;
        left.delete(cell);
        await this.#try(cell.id, () => this.#do(cell));
      }
      await this.#look();
      const next = by(this.page, "lesson-next");
      if ((await next.count()) === 0) break;
      await this.#try("next step", () => this.hand.press(next));
      // A step that the hand cannot leave is one fault; those behind it are looked at all the same.
      if ((await this.#step()) === step) await next.click();
      await expect.poll(() => this.#step()).not.toBe(step);
    }
    for (const { id } of left) await this.#fault(`${id} was never shown`);
  }

  async #do(cell: TypedCell): Promise<void> {
    switch (cell.type) {
      case "quiz":
        return this.#question(cell);
      case "code":
        await this.#run(cell, "code-run", this.#place(cell).getByTestId("code-output"));
        return;
      case "experiment":
        return this.#train(cell);
      case "sweep":
        await this.#run(cell, "run-sweep", this.page.getByText(words.sweep.done, { exact: true }));
        return;
      case "class":
        await this.hand.type(by(this.page, "class-seat"), "1");
        await this.hand.choose(by(this.page, "class").getByRole("radio").first());
        await this.#run(cell, "class-train", by(this.page, "class-code"));
    }
  }

  /** Presses its button, and waits for what it leads to. */
  async #run(cell: TypedCell, button: string, result: Locator): Promise<void> {
    await this.hand.press(this.#place(cell).getByTestId(button));
    await result.waitFor({ timeout: TRAINS });
    await this.#checkFocus(`the run of ${cell.id}`);
  }

  /** By its own button, or by the bar's where the lesson has one experiment. */
  async #train(cell: TypedCell): Promise<void> {
    const own = this.#place(cell).getByTestId("run-in-turn");
    if ((await own.count()) > 0) {
      const again = this.#place(cell).getByRole("button", { name: words.runAgain, exact: true });
      return this.#run(cell, "run-in-turn", again);
    }
    await this.hand.press(by(this.page, "run").first());
    await this.page.locator("[data-run-state=finished]").waitFor({ timeout: TRAINS });
    await this.#checkFocus(`the run of ${cell.id}`);
  }

  async #question(cell: TypedCell): Promise<void> {
    const question = readFields("quiz", cell.body).value!;
    const quiz = this.#place(cell).getByTestId("quiz");
    await quiz.waitFor();
    await this.#answer(quiz, question, false);
    await this.#press(quiz, words.quiz.hint);
    await this.#press(quiz, words.quiz.reveal, "shown");
    await this.#press(quiz, words.quiz.reset, "open");
    await this.#answer(quiz, question, true);
  }

  /** One of the buttons of a question, if it has that one. @param verdict what follows from it; absent for nothing */
  async #press(quiz: Locator, name: string, verdict?: string): Promise<void> {
    const button = quiz.getByRole("button", { name, exact: true });
    if ((await button.count()) === 0) return;
    await this.hand.press(button);
    if (verdict !== undefined)
      await expect.poll(() => quiz.getAttribute("data-verdict")).toBe(verdict);
    else await button.waitFor({ state: "detached" });
    await this.#checkFocus(`“${name}”`);
  }

  async #answer(quiz: Locator, question: Question, isRight: boolean): Promise<void> {
    const given = answersOf(question)[isRight ? "right" : "wrong"];
    if (question.kind === "order") await this.#order(quiz, question, isRight);
    else if (question.kind === "number") await this.hand.type(quiz.locator("input"), String(given));
    else {
      // Its turns are there once the run is read.
      if (question.kind === "turn") await quiz.getByTestId("quiz-turns").waitFor();
      await this.hand.choose(quiz.locator("input[type=radio]").nth(given - 1));
    }
    await this.#press(quiz, words.quiz.check, isRight ? "right" : "wrong");
  }

  /** In the right order, or with its first two the wrong way round. */
  async #order(quiz: Locator, { options }: Question, isRight: boolean): Promise<void> {
    for (let place = 1; place <= options.length; place++)
      while ((await orderIn(quiz)).indexOf(place) >= place) await this.#move(quiz, place, "up");
    if (!isRight) await this.#move(quiz, 1, "down");
  }

  /** Moves an item one place by its button. @param item its place in the right order, from 1 */
  async #move(quiz: Locator, item: number, way: "up" | "down"): Promise<void> {
    const before = (await orderIn(quiz)).join();
    await this.hand.press(quiz.locator(`[data-item="${item}"] [data-move=${way}]`));
    await expect.poll(async () => (await orderIn(quiz)).join()).not.toBe(before);
  }

  #place({ id }: Pick<TypedCell, "id">): Locator {
    return this.page.locator(`[data-cell="${id}"]`);
  }

  #step(): Promise<string | null> {
    return by(this.page, "lesson").getAttribute("data-step");
  }

  async #checkFocus(after: string): Promise<void> {
    const lost = await this.hand.lost(this.page);
    if (lost !== null) await this.#fault(`${lost} after ${after}`);
  }

  /** Of the whole step, once all of it is drawn. */
  async #look(): Promise<void> {
    await this.page
      .waitForFunction(drawn, null, { timeout: DRAWN })
      .catch(() => this.#fault("a figure is never drawn"));
    const { over, said } = await this.page.evaluate(() => ({
      over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      said: [...document.querySelectorAll<HTMLElement>(".lesson [role=alert]")].map(
        (one) => one.innerText,
      ),
    }));
    if (over > 0) await this.#fault(`the page scrolls sideways by ${over} px`);
    for (const one of said) await this.#fault(`says “${one}”`);
    // Axe takes links of a header that has scrolled away for skip links.
    const found = (await axeFaults(this.page)).filter((one) => !one.startsWith("skip-link"));
    for (const one of found) await this.#fault(`axe finds ${one.replaceAll("\n", " ")}`);
  }

  async #try(what: string, act: () => Promise<void>): Promise<void> {
    await act().catch((error: Error) => this.#fault(`${what}: ${error.message.split("\n")[0]}`));
  }

  async #fault(what: string): Promise<void> {
    const fault = `${this.lesson}, step ${await this.#step()}: ${what}.`;
    this.faults.push(fault);
    // At once: all lessons take long.
    console.error(fault);
  }
}

/** In the page: whether all is drawn; what is out of view only waits for that. */
function drawn(): boolean {
  const next = document.querySelector(".lesson [aria-busy=true]");
  next?.scrollIntoView();
  return next === null;
}

/** Of what is folded nothing can be pressed. */
const isShown = ({ flags }: TypedCell) => !flags.includes("hide") && !flags.includes("fold");

const isAnswered = (cell: TypedCell) => cell.type === "quiz" && isShown(cell);

/** Code that defines something runs in the experiments that train with it. */
const isComputed = (cell: TypedCell) => cell.type === "code" && !cell.defines && isShown(cell);

/** Folded experiments are recorded, or trained by a sweep or a class. */
const isTrained = (cell: TypedCell) =>
  isShown(cell) &&
  (cell.type === "sweep" ||
    cell.type === "class" ||
    (cell.type === "experiment" && !/^recording:/m.test(cell.body)));

/** Of the kinds that are answered by a number. */
function answersOf({ kind, answer, options, tolerance }: Question) {
  if (kind === "number") return { wrong: answer + 10 * tolerance + 1, right: answer };
  return { wrong: answer === 1 ? (kind === "choice" ? options.length : 2) : 1, right: answer };
}

const orderIn = (quiz: Locator) =>
  quiz
    .locator("[data-item]")
    .evaluateAll((items) => items.map((one) => Number(one.getAttribute("data-item"))));
