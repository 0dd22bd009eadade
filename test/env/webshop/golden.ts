/** The reference cases of test/golden/webshop_reward.json; its `_provenance` says how they were made. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface RewardGolden {
  id: string;
  note: string;
  product: Record<string, unknown> & { name: string };
  goal: Record<string, unknown> & { name: string };
  price: number;
  chosen_options: Record<string, string>;
  stub_nouns: { product: string[]; goal: string[] };
  expected: {
    reward: number;
    num_attr_matches: number;
    num_option_matches: number;
    r_type: number;
    r_att: number;
    w_att: number;
    query_match: boolean;
    category_match: boolean;
    title_score: number;
    r_option?: number;
    w_option?: number;
    r_price?: boolean;
    w_price?: number;
  };
  reward_with_thefuzz_0_22_rapidfuzz: number;
}

export interface GoalGolden {
  asin: string;
  category: string;
  query: string;
  name: string;
  product_category: string;
  instruction_text: string;
  attributes: string[];
  price_upper: number;
  goal_options: Record<string, string> | string[];
  weight: number;
}

export interface StepGolden {
  /** null: reset. */
  action: string | null;
  obs: string;
  reward?: number;
  done?: boolean;
  available: { has_search_bar: boolean; clickables: string[] } | null;
  session_options?: Record<string, string>;
  session_asin?: string | null;
  session_page?: number | null;
  reward_info?: Record<string, number | boolean>;
}

interface Golden {
  _provenance: { spacy_stub_stopwords: string[] };
  reward_cases: RewardGolden[];
  token_set_ratio: { a: string; b: string; thefuzz_0_19_difflib: number }[];
  normalize_color: { input: string; output: string }[];
  catalogue: {
    items_shuffle_format: Record<string, unknown>[];
    items_ins_format: Record<string, unknown>;
    items_human_ins_format: Record<string, unknown>;
  };
  loader_expected: {
    processed_products: {
      asin: string;
      Title: string;
      options: Record<string, string[]>;
      pricing: number[];
      Price: string;
      Attributes: string[];
      query: string;
    }[];
    n_synthetic_goals: number;
    synthetic_goal_examples: GoalGolden[];
    human_goals: GoalGolden[];
  };
  sessions: {
    id: string;
    observation_mode: "text" | "text_rich";
    goal: GoalGolden;
    steps: StepGolden[];
  }[];
}

const file = join(import.meta.dirname, "..", "..", "golden", "webshop_reward.json");
export const golden = JSON.parse(readFileSync(file, "utf8")) as Golden;
