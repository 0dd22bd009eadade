/**
 * WebShop for training: the same environment, which also reports for each turn the parts of prompts
 * and counts. The reward is WebShop's own, success is reward 1.
 */
import type { Environment, ResetResult, StepResult } from "../environment.ts";
import { actionList } from "./clickables.ts";
import type { PageNode } from "./pageNodes.ts";
import type { WebShopEnv, WebShopInfo, WebShopSnapshot } from "./webshopEnv.ts";

/** RAGEN's three flags of an episode. */
interface ShopMarks extends Record<string, boolean> {
  /** Something was bought. */
  success_purchase: boolean;
  /** It was bought with reward 1. */
  success_find: boolean;
  /** A page of results was reached from which the only way is back. */
  end_of_page: boolean;
}

export interface ShopTaskInfo extends WebShopInfo {
  /** The action taken, in WebShop's grammar; empty if the text was not an action with an effect here. */
  actions: string[];
  nodes: readonly PageNode[];
  instruction: string;
  /** RAGEN's list of possible next actions; empty after the end. */
  actionList: string[];
  marks: ShopMarks;
}

/** The action list of a page of results after the last. */
const NOWHERE_BUT_BACK = "click[back to search],click[< prev]";

export class ShopTask implements Environment<ShopTaskInfo, WebShopSnapshot> {
  readonly shop: WebShopEnv;

  constructor(shop: WebShopEnv) {
    this.shop = shop;
  }

  reset(seed: number): ResetResult<ShopTaskInfo> {
    const { observation, info } = this.shop.reset(seed);
    return { observation, info: this.#withShop(info, []) };
  }

  step(text: string): StepResult<ShopTaskInfo> {
    const { info, ...result } = this.shop.step(text);
    const { action, valid } = info;
    const actions = action && valid ? [`${action.name}[${action.argument}]`] : [];
    return { ...result, info: this.#withShop(info, actions) };
  }

  snapshot(): WebShopSnapshot {
    return this.shop.snapshot();
  }

  restore(snapshot: WebShopSnapshot): void {
    this.shop.restore(snapshot);
  }

  #withShop(info: WebShopInfo, actions: string[]): ShopTaskInfo {
    const { nodes, goal } = this.shop;
    const list = info.available === null ? [] : actionList(nodes);
    return {
      ...info,
      actions,
      nodes,
      instruction: goal.instruction,
      actionList: list,
      marks: {
        success_purchase: info.page === "done",
        success_find: info.success,
        // Pages such as descriptions offer the same two clicks, but do not end a list of results.
        end_of_page: info.page === "results" && list.join() === NOWHERE_BUT_BACK,
      },
    };
  }
}
