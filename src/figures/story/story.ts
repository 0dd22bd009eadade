/** What each method of a run did, why, the evidence as a path of the cursor, and the test that would tell. */
import { nearestIndex } from "../../numeric/downsample.ts";
import { greatest } from "../../numeric/lists.ts";
import { InputError } from "../../numeric/inputError.ts";
import { groupsOf } from "../../reading/groups.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { CAUSES } from "../../reading/story/causeTable.ts";
import { valueNow } from "../../reading/story/proposal.ts";
import type { FoundCause, Story } from "../../reading/story/story.ts";
import { storyNeeds, toldStories } from "../../reading/story/told.ts";
import { valueWords } from "../../reading/story/words.ts";
import { titleOf } from "../../reading/titles.ts";
import { changedSpec } from "../../spec/specChanges.ts";
import { testBookHash } from "../../store/testBook.ts";
import { readChoice, type ResolvedChoice, type TurnChoice } from "../../store/turnChoice.ts";
import type { Go } from "../choices.ts";
import {
  figurePanel,
  textBlock,
  type Block,
  type FigureInput,
  type GridBlock,
  type TextBlock,
} from "../figure.ts";
import { STORY_STEPS, story } from "./manifest.ts";
import { words } from "./words.ts";

export const storyPanel = figurePanel({
  panel: story,
  about: words.about,
  reads: {
    needs: ({ view }) => storyNeeds(view),
    work: ({ view }) => toldStories(view.log, storyNeeds(view)[1]),
  },
  figure: (seen: FigureInput<typeof story.settings>, stories: readonly Story[]) => {
    if (seen.view.origin === "none" || stories.length === 0)
      return [textBlock(words.empty, "empty")];
    const { log } = seen.view;
    const told = stories.find(({ algorithm }) => algorithm === seen.at.algorithm);
    return [verdicts(stories, seen.at), ...(told ? whyBlocks(log, told, seen) : [])];
  },
});

function verdicts(stories: readonly Story[], { algorithm }: ResolvedChoice): GridBlock {
  return {
    kind: "grid",
    id: "story-verdicts",
    label: words.methods,
    rowHead: { name: words.method },
    columns: [{ name: words.now(newest(stories)) }],
    count: stories.length,
    row: (place) => {
      const one = stories[place]!;
      const now = one.last && valueWords(one.last.metric, one.last.value);
      const says = sentenceOf(one.says, one.algorithm === algorithm);
      const at = one.last?.iteration ?? 0;
      const cell =
        now === null ? now : { text: now, ...(at !== newest(stories) && { more: words.at(at) }) };
      return { id: one.algorithm, name: titleOf(one.algorithm), says, cells: [cell] };
    },
    current: stories.findIndex((one) => one.algorithm === algorithm),
    go: (place) => ({ algorithm: stories[place]!.algorithm }),
  };
}

const newest = (stories: readonly Story[]) =>
  greatest([0, ...stories.map(({ last }) => last?.iteration ?? 0)]);

/** Numbers for the chosen method alone; who did better is in the other rows. */
function sentenceOf(says: string, isChosen: boolean): string {
  const [sentence = says] = says.split(/(?<=[^.]\.) /u);
  return isChosen ? sentence : sentence.replace(/[:;].*$/u, ".");
}

function whyBlocks(
  log: RunLog,
  told: Story,
  { at, set }: FigureInput<typeof story.settings>,
): Block[] {
  const { causes, verdict, algorithm } = told;
  const title = words.why(verdict, titleOf(algorithm));
  const open = causes.find(({ cause }) => cause === set.cause) ?? causes[0];
  if (!open) return [{ ...textBlock(words.none), title }, ...noted(told), ...notMeasured(told)];
  return [
    {
      kind: "choices",
      choices: [
        {
          id: "cause",
          label: title,
          look: "dial",
          // The rest is a key away: each takes a line.
          options: causes
            .filter((one, i) => i < LISTED_CAUSES || one === open)
            .map(({ cause, title: name, weight }) => ({
              value: cause,
              name: words.cause(name, weight),
            })),
          value: open.cause,
          testId: "story-cause",
        },
      ],
      ...(causes.length > 1 && { go: { name: words.next, buttons: [nextCause(causes, open)] } }),
    },
    textBlock(open.says, undefined, "story-says"),
    textBlock(sentences(open.because), undefined, "story-because"),
    {
      kind: "choices",
      choices: [],
      go: { name: words.path, buttons: pathOf(log, told, open, at) },
    },
    ...against(open),
    ...noted(told),
    ...notMeasured(told),
    ...testOf(log, algorithm, open),
  ];
}

const LISTED_CAUSES = 2;

/** As running text: a list takes twice the lines. */
const sentences = (steps: FoundCause["because"]) =>
  steps.map(({ says }) => says.charAt(0).toUpperCase() + says.slice(1)).join(" ");

const textOf = (title: string, text: string, id: string): TextBlock => ({
  ...textBlock(text, undefined, id),
  title,
});

function nextCause(causes: readonly FoundCause[], open: FoundCause): Go {
  const next = causes[(causes.indexOf(open) + 1) % causes.length]!;
  return { name: words.next, action: "nextCause", choose: { cause: next.cause } };
}

/** Each step moves the cursor, and shows its panel; without an episode that shows the cause only the curve is left. */
function pathOf(log: RunLog, { algorithm }: Story, found: FoundCause, at: ResolvedChoice) {
  const place = shownAt(found);
  const curve = onsetPlace(log, algorithm, found);
  const first = place && { ...curve, episode: firstOfGroup(log, place), turn: 0, token: null };
  const episode = first && { ...first, episode: place.episode };
  const turn = episode && { ...episode, turn: place.turn };
  const targets = { curve, group: first, episode, turn, formula: turn };
  return STORY_STEPS.map(([step, panel]): Go => {
    const to = targets[step];
    const action = `story${words.steps[step]}`;
    const name = words.steps[step];
    if (to === null) return { name, to: {}, action, disabled: true, hint: words.unshown };
    return { name, to, show: panel, action, pressed: isAt(to, at) };
  });
}

function shownAt({ because }: FoundCause): TurnChoice | null {
  const shown = because.find((one) => one.at !== null)?.at ?? null;
  return shown === null ? null : readChoice(shown);
}

/** The iteration whose episode shows the cause, else the recorded one nearest to its onset; null follows the newest. */
export function onsetPlace(log: RunLog, algorithm: string, found: FoundCause) {
  const recorded = log.iterationsWithEpisodes(algorithm);
  const nearest = recorded[nearestIndex(recorded, found.onset)] ?? null;
  return { algorithm, iteration: shownAt(found)?.iteration ?? nearest };
}

const isAt = (to: Partial<TurnChoice>, at: ResolvedChoice) =>
  (["algorithm", "iteration", "episode", "turn"] as const).every(
    (part) => to[part] === undefined || to[part] === at[part],
  );

/** The index of the first attempt at the same task. */
function firstOfGroup(log: RunLog, { algorithm, iteration, episode }: TurnChoice): number {
  const episodes = log.peekEpisodes(algorithm!, iteration!) ?? [];
  const rollouts = groupsOf(episodes, "population").map((group) => group.rollouts);
  const own = rollouts.find((some) => some.some((one) => one.episode === episode));
  return own?.[0]!.episode ?? episode;
}

function against({ against: steps }: FoundCause): Block[] {
  if (steps.length === 0) return [textOf(words.against, words.noneAgainst, "story-against")];
  return [textOf(words.against, sentences(steps), "story-against")];
}

function noted({ noted: all }: Story): Block[] {
  if (all.length === 0) return [];
  const items = all.map(({ cause, onset }) => words.noted.one(CAUSES[cause].title, onset));
  return [textOf(words.noted.title, items.join(" "), "story-noted")];
}

function notMeasured({ notMeasured: missing }: Story): Block[] {
  if (missing.length === 0) return [];
  const items = missing.map(({ cause, measuredBy }) =>
    words.lacks(CAUSES[cause].title, measuredBy),
  );
  return [textOf(words.notMeasured, items.join(" "), "story-missing")];
}

/** The run as it is and with one setting changed, over new seeds, as a notebook; and what the recorded one cost. */
function testOf(log: RunLog, algorithm: string, open: FoundCause): Block[] {
  const [change] = Object.entries(open.test?.set ?? {});
  if (!change) return [];
  const said = textOf(words.test, words.change(...change), "story-test");
  const href = testLink(log, algorithm, open, change);
  if (href === null) return [{ ...said, more: words.byHand }];
  const spent = log.clock(algorithm).seconds.at(-1) ?? null;
  const each = spent === null ? null : spent / log.iterations(algorithm).length;
  return [{ ...said, more: words.cost(each), link: { name: words.setUp, href } }];
}

/** Null if the log lacks its settings, or an experiment refuses the change. */
function testLink(
  log: RunLog,
  algorithm: string,
  { cause, title, says }: FoundCause,
  [path, changed]: [string, number | string],
): string | null {
  const now = valueNow(log, algorithm, path);
  if (!log.start || (typeof now !== "number" && typeof now !== "string")) return null;
  try {
    changedSpec(log.start.spec, [[path, String(changed)]]);
    const values = [now, changed] as const;
    const about = `${says} ${words.tests(path, ...values)}`;
    return testBookHash(log.start.spec, { cause, title, says: about, algorithm, path, values });
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}
