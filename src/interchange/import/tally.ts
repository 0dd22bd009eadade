/** Counts problems in the episodes of files that should be reported: missing numbers, and credit of 0. */
import type { ForeignEpisode, ForeignTurn } from "./foreign.ts";
import { Digests } from "./digests.ts";
import { shortDigest } from "./values.ts";
import { words } from "./words.ts";

const says = words.tally;

/** Rollouts of one task in one iteration. */
interface TaskRollouts {
  least: number;
  most: number;
  /** Whether each had a reward. */
  known: boolean;
  /** How many rollouts have only advantages of 0. */
  flat: number;
  /** Digest of the first prompt; null until one is known. */
  prompt: number | null;
  /** Whether another prompt came. */
  mixed: boolean;
}

export class EpisodeTally {
  #episodes = 0;
  #unrewarded = 0;
  #turnless = 0;
  /** Episodes whose trained tokens all have an advantage, and those of them in which some turns have only 0. */
  #credited = 0;
  #partly = 0;
  #groups = new Map<string, TaskRollouts>();
  /** Of texts, by that of place and id. */
  #texts = new Digests();
  #repeated = 0;
  #repeatedId = "";

  /** @param place of its iteration, by name */
  add(place: string, episode: ForeignEpisode): void {
    const { reward, task, turns } = episode;
    this.#episodes++;
    if (reward === null) this.#unrewarded++;
    if (turns.length === 0) this.#turnless++;
    this.#seeId(place, episode);
    const group = this.#group(`${place} ${task}`);
    const asked = turns[0]?.observation ? shortDigest(turns[0].observation) : null;
    group.mixed ||= asked !== null && group.prompt !== null && group.prompt !== asked;
    group.prompt ??= asked;
    group.known &&= reward !== null;
    group.least = Math.min(group.least, reward ?? Infinity);
    group.most = Math.max(group.most, reward ?? -Infinity);
    const credited = turns.map(creditIn);
    if (turns.length === 0 || credited.includes(null)) return;
    this.#credited++;
    if (!credited.includes(true)) group.flat++;
    else if (credited.includes(false)) this.#partly++;
  }

  #seeId(place: string, { id, turns }: ForeignEpisode): void {
    if (id === undefined) return;
    const key = shortDigest(`${place} ${id}`);
    const text = shortDigest(turns.map((turn) => `${turn.observation}\n${turn.text}`).join("\n"));
    const before = this.#texts.get(key);
    if (before === undefined) this.#texts.set(key, text);
    if (before !== text) return;
    if (this.#repeated++ === 0) this.#repeatedId = id;
  }

  /** Problems without an explanation in the files. */
  warnings(): string[] {
    const groups = [...this.#groups];
    const mixed = groups.filter(([, group]) => group.mixed).map(([name]) => name);
    const { flat, explained } = this.#flat();
    const lacking = this.#unrewarded < this.#episodes ? this.#unrewarded : 0;
    return [
      ...(mixed[0] === undefined ? [] : [says.mixed(mixed.length, groups.length, mixed[0])]),
      ...(this.#repeated > 0
        ? [says.repeated(this.#repeated, this.#episodes, this.#repeatedId)]
        : []),
      ...(lacking > 0 ? [says.unrewarded(lacking, this.#episodes)] : []),
      ...(this.#turnless > 0 ? [says.turnless(this.#turnless, this.#episodes)] : []),
      ...(flat > explained ? [says.flat(flat, this.#credited, explained)] : []),
      ...(this.#partly > 0 ? [says.partly(this.#partly, this.#credited)] : []),
    ];
  }

  /** Credit that is 0 because all rollouts of a task earned the same. */
  notes(): string[] {
    const { flat, explained } = this.#flat();
    return flat > 0 && flat === explained ? [says.flat(flat, this.#credited, explained)] : [];
  }

  #flat(): { flat: number; explained: number } {
    const groups = [...this.#groups.values()].filter(({ flat }) => flat > 0);
    const sum = (some: readonly TaskRollouts[]) =>
      some.reduce((total, { flat }) => total + flat, 0);
    const equal = groups.filter(({ known, least, most }) => known && least === most);
    return { flat: sum(groups), explained: sum(equal) };
  }

  #group(key: string): TaskRollouts {
    let group = this.#groups.get(key);
    if (!group) {
      const none = { prompt: null, mixed: false };
      group = { least: Infinity, most: -Infinity, known: true, flat: 0, ...none };
      this.#groups.set(key, group);
    }
    return group;
  }
}

/** Whether a trained turn has nonzero credit; null if unknown. */
function creditIn({ tokens, advantage }: ForeignTurn): boolean | null {
  if (tokens.length === 0) return null;
  const all = tokens.map((token) => token.advantage);
  if (!all.includes(null)) return all.some((one) => one !== 0);
  return advantage === null ? null : advantage !== 0;
}
