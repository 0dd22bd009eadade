import { beforeAll, describe, expect, it } from "vitest";
import type { Catalogue } from "../../../src/env/webshop/catalogue.ts";
import { WebShopEnv } from "../../../src/env/webshop/webshopEnv.ts";
import { golden } from "./golden.ts";
import { goldenCatalogue } from "./sources.ts";

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await goldenCatalogue();
});

/** The goal of the golden sessions is the first after the shuffle. */
const GOAL = 0;

describe("WebShop's sessions", () => {
  it.each(golden.sessions)("are played as they were: $id", ({ observation_mode, goal, steps }) => {
    const env = new WebShopEnv(catalogue, { observation: observation_mode });
    const start = env.resetGoal(GOAL);
    expect(env.goal.instruction).toBe(goal.instruction_text);
    expect(start.observation).toBe(steps[0]!.obs);
    expect(start.info.available).toEqual(steps[0]!.available);
    for (const step of steps.slice(1)) {
      const { observation, reward, terminated, info } = env.step(step.action!);
      expect(observation).toBe(step.obs);
      expect(reward).toBeCloseTo(step.reward!, 12);
      expect(terminated).toBe(step.done);
      expect(info.available).toEqual(step.available);
      expect(info.options).toEqual(step.session_options);
      expect("asin" in env.page ? env.page.asin : null).toBe(step.session_asin);
      expect("pageNumber" in env.page ? env.page.pageNumber : null).toBe(step.session_page);
      if (step.reward_info) {
        const { rType, rAtt, wAtt, rOption, wOption, rPrice, wPrice, ...rest } = info.reward!;
        expect({
          ...{ r_type: rType, r_att: rAtt, w_att: wAtt, r_option: rOption, w_option: wOption },
          ...{ r_price: rPrice, w_price: wPrice, title_score: rest.titleScore },
          ...{ query_match: rest.queryMatch, category_match: rest.categoryMatch },
        }).toEqual(step.reward_info);
      }
    }
  });
});
