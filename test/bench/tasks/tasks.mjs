// Five things that a new reader does, as acts on the page.
import { join, resolve } from "node:path";

const fixtures = resolve(import.meta.dirname, "..", "..", "fixtures", "import");

const isPhone = (page) => page.viewportSize().width < 600;

/** On a phone the lens shows one pane at a time. */
async function pane(reader, id) {
  if (!isPhone(reader.page)) return;
  const open = reader.page.getByTestId("go-panel");
  if ((await open.getAttribute("data-shown")) === id) return;
  await reader.click(reader.page.locator(`[role=tab][data-tab=${id}]`), `to-${id}`);
}

const openingLens = (reader) => reader.click(reader.page.getByTestId("opening-lens"), "lens");

const row = (page, name) => page.locator(`[data-testid=credits-table] tr[data-row=${name}]`);

export const tasks = [
  {
    id: "earner",
    title: "Find the turn that earned the reward",
    async walk(reader) {
      const { page } = reader;
      await reader.click(page.getByTestId("opening-turn").nth(1), "guess");
      await reader.read(page.getByTestId("opening-verdict"), "verdict");
    },
  },
  {
    id: "other",
    title: "The same in another episode of the recording",
    async walk(reader) {
      const { page } = reader;
      await openingLens(reader);
      await pane(reader, "episodes");
      await reader.choose(page.locator("[data-pane=episodes] select").nth(1), "solved", "solved");
      const rows = page.locator("[data-testid=episodes-table] tbody tr:not(.grid-here) button");
      await reader.click(rows, "episode");
      await reader.click(
        page.getByTestId("cursor").getByTestId("truth-button").getByRole("button"),
        "ask",
      );
      await pane(reader, "credits");
      await reader.wait(row(page, "truth"), { timeout: 120_000 });
      await reader.read(row(page, "truth"), "true-credit");
    },
  },
  {
    id: "disagree",
    title: "Say why GRPO and Turn-PPO disagree on it",
    async walk(reader) {
      const { page } = reader;
      await openingLens(reader);
      await pane(reader, "credits");
      await reader.read(row(page, "grpo"), "GRPO");
      await reader.read(row(page, "turn-ppo"), "Turn-PPO");
      await reader.read(page.locator("[data-testid=credits-why] [data-item=grpo]"), "why");
      await reader.read(page.locator("[data-testid=credits-why] [data-item=turn-ppo]"), "why");
    },
  },
  {
    id: "train",
    title: "Train, and see which curve leads",
    async walk(reader) {
      const { page } = reader;
      await reader.click(page.getByTestId("opening-start"), "train");
      const bar = page.locator(
        "[data-testid=run-bar][data-run-iteration]:not([data-run-iteration='0'])",
      );
      await reader.wait(bar, { timeout: 120_000 });
      // In training first; new levels are tried later, and at iteration 0 all are the same model.
      const soFar = page.getByTestId("opening-so-far");
      await reader.wait(soFar, { timeout: 600_000 });
      await reader.read(soFar, "so-far");
    },
  },
  {
    id: "sick",
    title: "Find out whether a run is sick",
    async walk(reader) {
      const { page } = reader;
      await reader.click(page.getByTestId("bar-findings"), "findings");
      await reader.read(page.getByTestId("doctor-summary"), "doctor");
      await reader.read(page.locator("[data-testid=doctor-finding]"), "finding");
    },
  },
  {
    id: "verl",
    title: "Open an own verl file, and find its most clipped turn",
    async walk(reader) {
      const { page } = reader;
      await reader.click(page.getByRole("link", { name: "Lens" }), "lens");
      await reader.click(page.getByTestId(isPhone(page) ? "go-panel" : "open-run"), "menu");
      await reader.open(page.getByTestId("open-run-file"), join(fixtures, "12.jsonl"), "opened");
      await pane(reader, "ribbon");
      const said = page.getByTestId("ribbon-panel").getByText("No clip data");
      await reader.read(said.filter({ visible: true }), "clips");
    },
  },
  {
    id: "tokens",
    title: "The same with a file that has clips (prime-rl)",
    async walk(reader) {
      const { page } = reader;
      await reader.click(page.getByRole("link", { name: "Lens" }), "lens");
      await reader.click(page.getByTestId(isPhone(page) ? "go-panel" : "open-run"), "menu");
      await reader.open(
        page.getByTestId("open-run-file"),
        join(fixtures, "rank_0.jsonl"),
        "opened",
      );
      await pane(reader, "ribbon");
      await page.getByTestId("ribbon-table").waitFor();
      const jump = page.locator("[data-action=mostClipped]");
      // A low pane folds the jumps.
      if (!(await jump.isVisible()))
        await reader.click(page.getByTestId("ribbon-rest"), "all-rows");
      await reader.click(jump, "jump");
      await reader.read(page.getByTestId("ribbon-table"), "clipped");
    },
  },
];
