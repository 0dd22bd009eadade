/** UI texts of the shop: WebShop's own are marked; the rest explains them. */
import { show } from "../../../numeric/inputError.ts";
import { plural } from "../../../numeric/counted.ts";

/** WebShop's own names, as written on its pages. */
export const shopWords = {
  instruction: "Instruction:",
  backToSearch: "Back to Search",
  search: "Search",
  previous: "< Prev",
  next: "Next >",
  description: "Description",
  features: "Features",
  reviews: "Reviews",
  attributes: "Attributes",
  buyNow: "Buy Now",
  price: "Price:",
  score: "Your score",
  thanks: "Thank you for shopping with us!",
} as const;

export const words = {
  title: "The shop",
  intro:
    "Shop like a language model: find the requested product, choose its options, buy it. Every click becomes a WebShop action, and the reward is WebShop’s own.",
  back: "Back to the notebook",
  opening: "Opening the shop …",
  shopYourself: "Shop yourself",
  watch: "Watch an episode",
  task: "Task",
  addressProblem: "The address has no valid shop task",

  source: {
    legend: "Shop",
    generated: "A generated catalogue",
    files: "WebShop’s own data files",
    seed: "Catalogue seed",
    seedProblem: (text: string) =>
      `The seed is ${show(text)}; it must be a whole number from 0 to 4294967295.`,
    open: (products: number, goals: number) =>
      `${products.toLocaleString("en")} products, ${goals.toLocaleString("en")} goals.`,
  },
  goal: {
    label: "Goal",
    of: (last: number) => `0 to ${last.toLocaleString("en")}`,
    previous: "Previous goal",
    next: "Next goal",
    another: "Random goal",
    problem: (text: string, last: number) =>
      `The goal is ${show(text)}; it must be a whole number from 0 to ${last}.`,
  },
  attributesPage: "Show attributes on item pages",
  attributesHint: "WebShop’s show_attrs. Off for models unless the experiment turns it on.",

  files: {
    drop: "Drop WebShop’s files here, or",
    pick: "choose files",
    private: "They are read in this page and stay in your browser.",
    products: "Products",
    attributes: "Attributes and instructions",
    human: "Instructions by people",
    patterns: {
      products: "items_shuffle_1000.json",
      attributes: "items_ins_v2_1000.json",
      human: "items_human_ins.json",
    },
    missing: "missing",
    optional: "not given; needed only for human goals",
    limit: "Maximum products",
    limitProblem: (text: string) =>
      `The number of products is ${show(text)}; it must be a whole number of at least 1.`,
    goals: "Goals",
    synthetic: "made from product options",
    people: "written by people",
    open: "Open this shop",
    cancel: "Cancel",
    unknown: (names: string[]) =>
      `Not used, as these are not WebShop’s file names: ${names.join(", ")}. Names must begin with items_shuffle, items_ins or items_human_ins.`,
    reading: (file: string, share: string) => `Reading ${file} … ${share}`,
    indexing: "Indexing the products …",
    failed: "These files could not be opened",
    stopped: "The file reader stopped.",
    counts: (rows: number, products: number, instructions: number, goals: number) =>
      `${rows.toLocaleString("en")} rows read: ${products.toLocaleString("en")} products, ${instructions.toLocaleString("en")} instructions, ${goals.toLocaleString("en")} goals.`,
    flawless: "All rows were used.",
    flaws: (count: number) =>
      count === 1
        ? "The files have one problem:"
        : `${count.toLocaleString("en")} problems in the files:`,
  },

  page: {
    searchTitle: "Search",
    searchLabel: "What are you looking for?",
    searchEmpty: "Type something first: WebShop rejects empty searches.",
    results: (query: string) => `Results for “${query}”`,
    place: (page: number, found: number) => `Page ${page}, ${count(found, "product")} found`,
    past: "No products on this page: WebShop’s Next > goes past the last one.",
    none: "No product was found. Try other words.",
    seen: "opened before",
    optionsHint: "Arrow keys move, Space chooses. Each choice is one action.",
    price: shopWords.price,
    rating: "Rating:",
    empty: "(WebShop shows nothing here.)",
    stars: (score: number) => `${score} of 5 stars`,
    department: "Department",
    query: "Found by the search",
    category: "Category",
    again: "Shop again",
    another: "Another goal",
    watchAgain: "Watch this trip again",
    outOfTurns: (turns: number) => `All ${turns} turns are used; nothing was bought.`,
  },

  write: {
    label: "Write an action yourself",
    hint: "As a model does: search[words] or click[name]",
    send: "Send",
  },
  log: {
    title: "Action as a model writes it",
    watched: "Turns of this episode",
    empty: "Nothing yet. Search to see the action here.",
    turn: "Turn",
  },
  asModel: {
    title: "This page as the model sees it",
    mode: "WebShop’s observation mode",
    actions: "Actions offered (RAGEN’s list)",
  },

  did: {
    search: "back at the search",
    results: (page: number, found: number) => `page ${page}, ${count(found, "product")} found`,
    item: (title: string) => `opens ${title}`,
    backToItem: (title: string) => `back at ${title}`,
    chose: (name: string, value: string) => `${name}: ${value}`,
    section: (name: string) => `reads the ${name}`,
    bought: (reward: string) => `bought, reward ${reward}`,
    nothing: "nothing happened",
  },
  said: {
    search: "Search page.",
    results: (page: number, found: number, shown: number) =>
      `Results, page ${page}: ${count(found, "product")} found, ${shown} on this page.`,
    item: (title: string, price: string, groups: string[]) =>
      `${title}, ${price}. ${groups.length === 0 ? "No options." : `To choose: ${groups.join(", ")}.`}`,
    chosen: (pairs: string[]) => `Chosen: ${pairs.join(", ")}.`,
    section: (name: string) => `${name} page.`,
    bought: (reward: string) => `Bought. Reward ${reward} of 1.`,
    outOfTurns: "All turns are used.",
  },
  nothing: {
    lead: "Nothing happened.",
    empty: "Type an action, for example search[red shirt].",
    noAction: "An action must be search[words] or click[name].",
    notFirst: "The action must come first; no words may precede it.",
    capitals: "Write search and click in small letters.",
    noArgument: "The brackets must not be empty.",
    unclosed: "The closing bracket ] is missing.",
    brackets: "Nested brackets are not parsed, so this is not an action.",
    searchClick: "The search button cannot be clicked: write search[words].",
    absent: (name: string) => `Nothing on this page is named ${show(name)}.`,
    near: (name: string) => `The name must be exactly ${show(name)}, spaces included.`,
  },

  reward: {
    title: "The reward, term by term",
    total: "Reward",
    formula:
      "reward = type × (attributes + options + price) ÷ (number of attributes + options + 1)",
    type: "Type",
    typeHint: "Is it the requested kind of product?",
    attributes: "Attributes",
    attributesHint: (alike: number) =>
      `A wanted attribute counts if one of the product’s is more than ${alike} % similar, or if it appears verbatim in the title, features or description.`,
    options: "Options",
    optionsHint: (alike: number) =>
      `A wanted option counts if any chosen value is more than ${alike} % similar. Texts with a colour name are reduced to it first.`,
    noOptions: "The goal asks for no options.",
    price: "Price",
    wanted: "Wanted",
    found: "Found",
    points: "Points",
    yes: "yes",
    no: "no",
    sameQuery: "Made from the same search",
    sameCategory: "Two parts of the category path match",
    titleScore: "Share of the goal title’s nouns in this title",
    typeRules: {
      0: "0: the titles share no noun.",
      0.1: "0.1: under a tenth of the nouns are shared.",
      0.5: "0.5: neither search nor category matches, and at most a fifth of the nouns are shared.",
      1: "1: search, category or title matches.",
    },
    by: {
      attribute: (own: string, score: number) =>
        `the product’s attribute “${own}”, ${score} % match`,
      title: "verbatim in the title",
      features: "verbatim in the features",
      description: "verbatim in the description",
    },
    notBy: (own: string | null, score: number) =>
      own === null ? "not found" : `not found; closest is “${own}”, ${score} % match`,
    chosen: (value: string, score: number) => `you chose “${value}”, ${score} % match`,
    notChosen: (value: string | null, score: number) =>
      value === null
        ? "nothing was chosen"
        : `not satisfied; closest is “${value}”, ${score} % match`,
    reduced: (from: string, to: string) => `“${from}” counts as “${to}”`,
    priceWithin: (price: string, limit: string) => `${price}, within the limit of ${limit}`,
    priceAbove: (price: string, limit: string) => `${price}, above the limit of ${limit}`,
    atMost: (limit: string) => `at most ${limit}`,
    anyPrice: "any price",
    priceFree: (price: string) => `${price}; the goal sets no limit`,
    bought: "Bought",
    goalProduct: "Source product of the goal",
    sameProduct: "the same product",
    success: "Success: reward 1.",
    noSuccess: "Success means a reward of 1.",
  },

  turn: {
    chosen: "chosen",
    chance: "probability that it is the policy’s whole response",
    impossible: "The page cannot be clicked here.",
    writeInstead: "You can still type an action.",
  },

  replay: {
    title: "Replay",
    trained: "Trained model (recorded)",
    trainedMissing: "The recorded episodes are missing. Choose another episode and press Watch.",
    opening: "Opening the recorded episodes …",
    attempt: "Rollout",
    attempts: (all: number) => `${all} rollouts of one goal, sampled`,
    scored: (at: number, reward: string) => `${at}: reward ${reward}`,
    weights: (method: string, model: string, iterations: number) =>
      `${method} after ${iterations} iterations, ${model} model`,
    heldout: (before: string, after: string, temperature: number) =>
      `In this one run, sampled at temperature ${temperature}, held-out reward went from ${before} to ${after}.`,
    noCredit:
      "Not measured for these attempts: what each click earned, and what methods credit it.",
    guess: {
      text: "Guess which click earned most, in a run where it is known.",
      href: "#lesson/shop/shop?view=lens&layout=words&at=turn-ppo,50,11,1&credits:grain=token",
    },
    creditLesson: "Lesson 6 replays a run with one for each click.",
    made: "How it was made",
    choose: "Episode",
    own: "Your last trip",
    noOwn: "Your last trip (none yet)",
    expert: "Expert (sees the reward)",
    buyFirst: "Buy the first result",
    random: "Random",
    pasted: "Pasted actions",
    paste: "One action per line",
    pasteHint: "A model's responses, or a file for turnbook play webshop --actions",
    show: "Watch",
    previous: "Previous page",
    next: "Next page",
    play: "Play",
    pause: "Pause",
    pace: "Pace",
    paces: { slow: "slow", normal: "normal", fast: "fast" },
    frame: (at: number, last: number) =>
      at === last ? `The end, after ${count(last, "turn")}` : `Turn ${at + 1} of ${last}`,
    writes: "writes",
    credit: "Advantage of this turn:",
    writesNothing: "(nothing)",
    clicked: "clicked",
    searched: "WebShop accepts searches on every page, even without a search box.",
    end: "The episode ends here.",
    cut: (left: number) =>
      `${count(left, "text")} after the end of the episode ${left === 1 ? "is" : "are"} not shown.`,
    impossible: "This episode cannot be shown in the shop",
    shopForThis: "Try this goal yourself",
    keys: "Keys: ← and → change pages, p plays.",
  },
} as const;

function count(n: number, noun: string): string {
  return `${n.toLocaleString("en")} ${plural(n, noun)}`;
}
