// @vitest-environment happy-dom
/** The class experiment: a seat trains and hands in a code; a teacher collects codes and sees what the class found. */
import { beforeEach, expect, it, vi } from "vitest";
import { readExperiment } from "../../src/notebook/cells/experiment/experiment.ts";
import { notebookFromWord, notebookToWord } from "../../src/notebook/sharedText.ts";
import { codeOfRun, readCode, sealed, setupOf } from "../../src/reading/classroom/resultCode.ts";
import { specOfClass } from "../../src/reading/classroom/classResults.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { classroomOf, MOST_CODES } from "../../src/store/classroom.ts";
import { syntheticRun } from "../fixtures/syntheticRun.ts";
import { MOST_IN_QR } from "../../src/app/shell/CopyResult.tsx";
import { openApp, usesApp } from "./app.tsx";
import { by, openSettings, type DomPage } from "./page.ts";

usesApp();

const EXPERIMENT = `preset: nano
seed: 700
optimisation.iterations: 4
evaluation.every: 1
algorithms: grpo,turn-ppo
engine.backend: wasm`;

const TEXT = `# A class

\`\`\`experiment id=first
${EXPERIMENT}
\`\`\`

\`\`\`class id=class of=first
question: Which method will be ahead?
options: [GRPO, Turn-PPO]
seats: 30
\`\`\`
`;

const HASH = `#text/${notebookToWord(TEXT)}`;
const { spec } = readExperiment(EXPERIMENT);
const EMPTY = { seat: null, prediction: null, name: "", codes: [], checks: new Map(), home: null };

beforeEach(() => {
  classroomOf(setupOf(spec)).setState(EMPTY);
  localStorage.clear();
});

function codeOf(seat: number, prediction: number, change: Partial<typeof spec> = {}): string {
  const log = new RunLog();
  for (const event of syntheticRun({ ...spec, seed: 700 + seat, ...change })) log.append(event);
  return codeOfRun(log, "heldout", prediction);
}

async function openTeachers(page: DomPage): Promise<void> {
  await by(page, "class").waitFor();
  await page.getByText("For the teacher: collect the codes").click();
  await by(page, "class-codes").waitFor();
}

it("gives a seat its seed, and a code when its run has ended", async () => {
  const { page, errors, close } = await openApp(HASH);
  await by(page, "class").waitFor();
  expect(await by(page, "class-train").isDisabled()).toBe(true);
  await by(page, "class-seat").fill("31");
  await page.getByText("Is 31; must be a whole number from 1 to 30.").waitFor();
  await by(page, "class-seat").fill("12");
  await page.getByText("Your run has seed 712.").waitFor();
  await by(page, "class").getByLabel("Turn-PPO").click();
  await by(page, "class-train").click();
  await by(page, "class-code").waitFor();
  const code = (await by(page, "class-code").textContent())!;
  expect(code.length).toBeLessThanOrEqual(200);
  expect(readCode(code, 2)).toMatchObject({ seed: 712, prediction: 2 });
  expect(await by(page, "qr-code").count()).toBe(1);
  expect(await by(page, "class-copy-link").getAttribute("data-link")).toMatch(`#class/${code}`);
  // A guess after the run does not count as a prediction.
  await page.getByText("The run has begun, so your prediction stays.").waitFor();
  expect(await by(page, "class").getByLabel("GRPO").isDisabled()).toBe(true);
  expect(errors).toEqual([]);
  await close();
});

it("collects codes, says which count and why not, and what the class found", async () => {
  const { page, errors, close } = await openApp(HASH);
  await openTeachers(page);
  const give = async (text: string) => {
    await by(page, "class-paste").fill(text);
    await by(page, "class-add").click();
  };
  await give("Hello!");
  await page.getByText("No code in that text.").waitFor();
  await give([1, 2, 3].map((seat) => `desk ${seat}: ${codeOf(seat, seat % 2 ? 1 : 2)}`).join("\n"));
  await expect.poll(() => by(page, "class-count").textContent()).toBe("Counted: 3 of 3 codes.");
  expect(await by(page, "class-votes").textContent()).toContain("GRPO2Turn-PPO1");
  expect(await by(page, "class-outcome").textContent()).toMatch(/Turn-PPO.*%.* to .*%/);
  const copied = codeOf(3, 1).split("~").slice(0, -1);
  copied[2] = (704).toString(36);
  await give(sealed(copied.join("~")));
  await give(codeOf(5, 1).slice(0, -1) + "!");
  await give(codeOf(99, 1));
  await give(codeOf(6, 1, { evaluation: { ...spec.evaluation, levels: 3 } }));
  await expect.poll(() => by(page, "class-count").textContent()).toContain("Counted: 2 of ");
  const table = await by(page, "class-table").textContent();
  expect(table).toContain("the same numbers as desk 3");
  expect(table).toContain("the same numbers as desk 4");
  expect(table).toContain("a seed of no desk");
  await give(codeOf(1, 2));
  await expect
    .poll(() => by(page, "class-table").textContent())
    .toContain("desk 1 has handed in this run already");
  expect(table).toContain("other settings than the class's");
  await by(page, "class-clear").click();
  await page.getByText("No codes yet.").waitFor();
  expect(errors).toEqual([]);
  await close();
});

it("trains a doubtful code's seed again, and lets the one count that comes out the same", async () => {
  const { page, errors, close } = await openApp(HASH);
  await openTeachers(page);
  const better = codeOf(1, 1).split("~").slice(0, -1);
  better[5] = better[5]!.replace(/..$/, "-9");
  await by(page, "class-paste").fill([codeOf(2, 1), sealed(better.join("~"))].join(" "));
  await by(page, "class-add").click();
  await expect.poll(() => by(page, "class-count").textContent()).toBe("Counted: 2 of 2 codes.");
  await by(page, "class-table").getByRole("button", { name: "Train desk 1 again" }).click();
  await expect
    .poll(() => by(page, "class-table").textContent())
    .toContain("trained again, it gave other numbers");
  await expect.poll(() => by(page, "class-count").textContent()).toBe("Counted: 1 of 2 codes.");
  await by(page, "class-check-all").click();
  await expect.poll(() => by(page, "class-checking").textContent()).toBe("Nothing left to check.");
  expect(errors).toEqual([]);
  await close();
});

it("makes the class's link: the same experiment, pinned to WebAssembly, with the question and the desks", async () => {
  const { page, errors, close } = await openApp(HASH);
  await openTeachers(page);
  await by(page, "class-name").fill("Tuesday");
  await by(page, "class-make-link").click();
  await by(page, "class-link").waitFor();
  const link = (await by(page, "class-link").getAttribute("href"))!;
  expect(link.length).toBeLessThan(MOST_IN_QR);
  expect(await by(page, "qr-code").count()).toBe(1);
  await close();
  const student = await openApp(new URL(link).hash);
  await by(student.page, "class").waitFor();
  await student.page.getByText("Which method will be ahead?").waitFor();
  await by(student.page, "class-seat").fill("30");
  const { seed } = specOfClass({ ...spec, seed: 730 }, "Tuesday");
  await student.page.getByText(`Your run has seed ${seed}.`).waitFor();
  await by(student.page, "class").getByLabel("GRPO").click();
  await by(student.page, "class-train").click();
  await by(student.page, "class-code").waitFor();
  const code = (await by(student.page, "class-code").textContent())!;
  expect(readCode(code, 2)).toMatchObject({ setup: readCode(codeOf(30, 1), 2).setup, seed });
  await student.page.getByText("For the teacher: collect the codes").click();
  await student.page.getByText("The class is “Tuesday”.").waitFor();
  await student.close();
  // The teacher's own page takes it; that of another class of the lesson does not.
  const teacher = await openApp(HASH);
  await openTeachers(teacher.page);
  expect(await by(teacher.page, "class-name").inputValue()).toBe("Tuesday");
  await by(teacher.page, "class-paste").fill(code);
  await by(teacher.page, "class-add").click();
  const counted = () => by(teacher.page, "class-count").textContent();
  await expect.poll(counted).toBe("Counted: 1 of 1 code.");
  await by(teacher.page, "class-name").fill("Thursday");
  await expect.poll(counted).toBe("Counted: 0 of 1 code.");
  expect([...errors, ...student.errors, ...teacher.errors]).toEqual([]);
  await teacher.close();
});

it("makes the link of the settings in the form, and keeps the class's name when one changes", async () => {
  const { page, errors, close } = await openApp(HASH);
  await openTeachers(page);
  await by(page, "class-name").fill("Monday");
  await openSettings(page);
  await by(page, "field-optimisation.iterations").fill("3");
  await by(page, "class-make-link").click();
  await by(page, "class-link").waitFor();
  expect(await by(page, "class-name").inputValue()).toBe("Monday");
  const link = (await by(page, "class-link").getAttribute("href"))!;
  const text = notebookFromWord(new URL(link).hash.slice("#text/".length));
  expect(text).toContain("iterations: 3");
  expect(errors).toEqual([]);
  await close();
});

it("draws a name for a class whose teacher gives none, and keeps to a link of before", async () => {
  const { page, errors, close } = await openApp(HASH);
  await openTeachers(page);
  await by(page, "class-seat").fill("12");
  await page.getByText("Your run has seed 712.").waitFor();
  await by(page, "class-make-link").click();
  await by(page, "class-link").waitFor();
  expect(await by(page, "class-name").inputValue()).toMatch(/^class \w+$/);
  expect(await page.getByText("Your run has seed 712.").count()).toBe(0);
  expect(errors).toEqual([]);
  await close();
});

it("adds a code whose link is opened where the class is collected, and says elsewhere what it is", async () => {
  const code = codeOf(4, 2);
  const elsewhere = await openApp(`#class/${code}`);
  await elsewhere.page.getByText("This browser collects no codes of this class.").waitFor();
  await elsewhere.page.getByText("Seed 704; prediction: option 2.").waitFor();
  expect(await by(elsewhere.page, "class-code-add").count()).toBe(0);
  await elsewhere.close();
  const { page, errors, close } = await openApp(HASH);
  await openTeachers(page);
  await page.evaluate((hash) => (location.hash = hash), `#class/${code}`);
  await by(page, "class-code-add").click();
  await page.getByText("Added. The class has 1 code.").waitFor();
  await page.getByText("Open the class").click();
  await openTeachers(page);
  await expect.poll(() => by(page, "class-count").textContent()).toBe("Counted: 1 of 1 code.");
  await page.evaluate((hash) => (location.hash = hash), `#class/${code.slice(0, -1)}`);
  await page.getByText("a character is wrong or missing").waitFor();
  expect([...errors, ...elsewhere.errors]).toEqual([]);
  await close();
});

it("says which file is too large to be read whole, and that a class is full", async () => {
  const { page, close } = await openApp(HASH);
  await openTeachers(page);
  const cut = [1, 2].map((seat) => codeOf(seat, 1).slice(0, -1));
  const many = Array.from({ length: MOST_CODES }, (_, i) => `TB1~aaaaaaaa~${i}`);
  const texts = [`${cut.join(" ")} ${"word ".repeat(250_000)}`, many.join("\n")];
  const says = [
    "2 new codes of 2. Only the first megabyte was read of 0.txt.",
    `${MOST_CODES - 2} new codes of ${MOST_CODES}. A class keeps ${MOST_CODES} codes at most.`,
  ];
  for (const [i, text] of texts.entries()) {
    await by(page, "class-file").setInputFiles([new File([text], `${i}.txt`)]);
    await expect.poll(() => by(page, "class-added").textContent()).toBe(says[i]);
  }
  await close();
});

it("collects codes from several files", async () => {
  const { page, close } = await openApp(HASH);
  await openTeachers(page);
  const [one, two, three] = [1, 2, 3].map((seat) => codeOf(seat, 1));
  const files = [`${one}\n${two}\n`, `${location.origin}/#class/${three}`];
  await by(page, "class-file").setInputFiles(files.map((text, i) => new File([text], `${i}.txt`)));
  await expect.poll(() => by(page, "class-count").textContent()).toBe("Counted: 3 of 3 codes.");
  await close();
});

/** A camera that fails as told, or before which `texts` are held one after the other. */
function stubCamera(seen: Error | readonly string[]): { stopped: boolean } {
  const camera = { stopped: false };
  const stream = { getTracks: () => [{ stop: () => (camera.stopped = true) }] };
  const getUserMedia = async () => {
    if (seen instanceof Error) throw seen;
    return stream;
  };
  const left = seen instanceof Error ? [] : [...seen];
  vi.stubGlobal(
    "BarcodeDetector",
    class {
      static getSupportedFormats = async () => ["qr_code"];
      detect = async () => left.splice(0, 1).map((rawValue) => ({ rawValue }));
    },
  );
  vi.spyOn(HTMLMediaElement.prototype, "play").mockResolvedValue();
  const devices = { value: { getUserMedia }, configurable: true };
  Object.defineProperty(navigator, "mediaDevices", devices);
  Object.defineProperty(HTMLMediaElement.prototype, "srcObject", { value: null, writable: true });
  return camera;
}

it("adds what is held before the camera, and lets go of the camera when it is closed", async () => {
  const { page, errors, close } = await openApp(HASH);
  const link = (seat: number) => `https://example.org/#class/${codeOf(seat, 1)}`;
  const camera = stubCamera([link(1), link(1), "a ticket", link(2)]);
  await openTeachers(page);
  await by(page, "class-use-camera").click();
  await expect.poll(() => by(page, "class-count").textContent()).toBe("Counted: 2 of 2 codes.");
  await by(page, "class-use-camera").click();
  await expect.poll(() => camera.stopped).toBe(true);
  expect(errors).toEqual([]);
  await close();
});

it("says in one sentence why there is no camera", async () => {
  const { page, errors, close } = await openApp(HASH);
  await openTeachers(page);
  for (const [name, sentence] of [
    ["NotAllowedError", "The browser blocks the camera."],
    ["NotFoundError", "No camera found."],
    ["NotReadableError", "The camera gives no picture."],
  ] as const) {
    stubCamera(Object.assign(new Error("no"), { name }));
    await by(page, "class-use-camera").click();
    await expect.poll(() => by(page, "class-camera-problem").textContent()).toContain(sentence);
    await by(page, "class-use-camera").click();
  }
  expect(errors).toEqual([]);
  await close();
});

it("is a lesson: predict, train, hand in", async () => {
  const { page, errors, close } = await openApp("#lesson/class");
  await by(page, "lesson").waitFor();
  await by(page, "lesson-next").click();
  await page.getByText("Which method will be ahead?").waitFor();
  await expect.poll(() => by(page, "quiz").count()).toBe(2);
  await by(page, "lesson-next").click();
  await by(page, "class-seat").fill("8");
  await page.getByText("Your run has seed 708.").waitFor();
  await by(page, "class").getByLabel("Turn-PPO").click();
  await by(page, "class-train").click();
  await by(page, "class-code").waitFor();
  const code = (await by(page, "class-code").textContent())!;
  await openTeachers(page);
  await by(page, "class-paste").fill(code);
  await by(page, "class-add").click();
  await expect.poll(() => by(page, "class-count").textContent()).toBe("Counted: 1 of 1 code.");
  await by(page, "lesson-next").click();
  await page.getByText("What the class found").waitFor();
  expect(errors).toEqual([]);
  await close();
});
