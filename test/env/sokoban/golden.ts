/** The reference cases of test/golden/sokoban.json; its `_provenance` says how they were made. */
import { readFileSync } from "node:fs";

export interface StepCase {
  id: string;
  level: string[];
  max_steps: number;
  num_boxes: number;
  actions: string;
  steps: {
    action: string;
    reward: number;
    done: boolean;
    effective: boolean;
    boxes_on_target: number;
    success: boolean;
    obs: string[];
  }[];
  return_sum: number;
}

export interface GeneratedCase {
  seed: number;
  dim: [number, number];
  num_boxes: number;
  search_depth: number;
  retry: boolean;
  reason?: string;
  level: string[];
  fixed: string[];
  bfs_solution: string;
  bfs_len: number;
  return_sum: number;
  simple_dead_squares_rc: [number, number][];
}

export interface XsbCase {
  id: string;
  xsb: string[];
  expected_ragen: string[];
  boxes: number;
}

export interface ParsingCase {
  enable_think: boolean;
  max_actions_per_turn: number;
  response: string;
  stored_response: string;
  actions: string[];
  note: string;
}

export interface EpisodeCase {
  id: string;
  level: string[];
  enable_think: boolean;
  max_actions_per_turn: number;
  max_actions_per_traj: number;
  format_penalty: number;
  turns: {
    response: string;
    parsed_actions: string[];
    executed_action_ids: number[];
    turn_reward: number;
    next_state: string[];
    actions_left: number;
    invalid_turn: boolean;
    penalty_total: number;
    finished: boolean;
    terminated: boolean;
    truncated: boolean;
  }[];
  env_return: number;
  episode_score_with_penalty: number;
  metrics: { success: number; num_actions: number };
}

interface Golden {
  step_cases: StepCase[];
  generated_levels: GeneratedCase[];
  xsb_parse: XsbCase[];
  ragen_response_parsing: ParsingCase[];
  ragen_turn_episodes: EpisodeCase[];
}

const file = new URL("../../golden/sokoban.json", import.meta.url);
export const golden = JSON.parse(readFileSync(file, "utf8")) as Golden;
