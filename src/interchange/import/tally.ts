/** Counts problems in the episodes of files that should be reported: missing numbers, and credit of 0. */
import type { ForeignEpisode, ForeignTurn } from "./foreign.ts";
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
}

export class EpisodeTally {
  #episodes = 0;
  #unrewarded = 0;
  #turnless = 0;
  /** Episodes whose trained tokens all have an advantage, and those of them in which some turns have only 0. */
  #credited = 0;
  #partly = 0;
  #groups = new Map<string, TaskRollouts>();

  /** @param place of its iteration, by name */
  add(place: string, episode: ForeignEpisode): void {
    const { reward, task, turns } = episode;
    this.#episodes++;
    if (reward === null) this.#unrewarded++;
    if (turns.length === 0) this.#turnless++;
    const group = this.#group(`${place} ${task}`);
    group.known &&= reward !== null;
    group.least = Math.min(group.least, reward ?? Infinity);
    group.most = Math.max(group.most, reward ?? -Infinity);
    const credited = turns.map(creditIn);
    if (turns.length === 0 || credited.includes(null)) return;
    this.#credited++;
    if (!credited.includes(true)) group.flat++;
    else if (credited.includes(false)) this.#partly++;
  }

  /** Problems without an explanation in the files. */
  warnings(): string[] {
    const { flat, explained } = this.#flat();
    const lacking = this.#unrewarded < this.#episodes ? this.#unrewarded : 0;
    return [
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
      group = { least: Infinity, most: -Infinity, known: true, flat: 0 };
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
