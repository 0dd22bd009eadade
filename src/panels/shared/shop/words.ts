/** Words of the shop: what is WebShop's own is marked; the rest explains it. */
import { show } from "../../../spec/inputError.ts";
import { plural } from "../../../numeric/counted.ts";

/** WebShop's own names, as its pages write them. */
export const webshop = {
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
    "Shop as a language model shops: find what the instruction asks for, choose its options, buy it. Everything you press becomes an action in WebShop’s words, and the reward is WebShop’s own.",
  back: "Back to the notebook",
  opening: "Opening the shop …",
  shopYourself: "Shop yourself",
  watch: "Watch an episode",
  task: "Task",
  addressProblem: "The address names no task of the shop",

  source: {
    legend: "Shop",
    generated: "A generated catalogue",
    files: "WebShop’s own data files",
    seed: "Catalogue seed",
    seedProblem: (text: string) =>
      `The seed is ${show(text)}; it must be a whole number of 0 to 4294967295.`,
    open: (products: number, goals: number) =>
      `${products.toLocaleString("en")} products, ${goals.toLocaleString("en")} goals.`,
  },
  goal: {
    label: "Goal",
    of: (last: number) => `0 to ${last.toLocaleString("en")}`,
    previous: "Previous goal",
    next: "Next goal",
    another: "Another one",
    problem: (text: string, last: number) =>
      `The goal is ${show(text)}; it must be a whole number of 0 to ${last}.`,
  },
  attributesPage: "Item pages tell the attributes",
  attributesHint:
    "WebShop’s show_attrs. A model’s shop leaves them out unless its experiment says so.",

  files: {
    drop: "Drop WebShop’s files here, or",
    pick: "choose files",
    private: "They are read in this page and never leave your browser.",
    products: "Products",
    attributes: "Attributes and instructions",
    human: "Instructions by people",
    patterns: {
      products: "items_shuffle_1000.json",
      attributes: "items_ins_v2_1000.json",
      human: "items_human_ins.json",
    },
    missing: "missing",
    optional: "not given; only needed for goals written by people",
    limit: "Read at most so many products",
    limitProblem: (text: string) =>
      `The number of products is ${show(text)}; it must be a whole number of at least 1.`,
    goals: "Goals",
    synthetic: "made from the products’ options",
    people: "written by people",
    open: "Open this shop",
    cancel: "Cancel",
    unknown: (names: string[]) =>
      `Not used, because the name is none of WebShop’s: ${names.join(", ")}. Expected are names that begin with items_shuffle, items_ins or items_human_ins.`,
    reading: (file: string, share: string) => `Reading ${file} … ${share}`,
    indexing: "Indexing the products …",
    failed: "These files could not be opened",
    stopped: "The reader of the files stopped.",
    counts: (rows: number, products: number, instructions: number, goals: number) =>
      `${rows.toLocaleString("en")} rows read: ${products.toLocaleString("en")} products, ${instructions.toLocaleString("en")} instructions, ${goals.toLocaleString("en")} goals.`,
    flawless: "Every row could be used.",
    flaws: (count: number) =>
      count === 1
        ? "One thing in the files was not as it should be:"
        : `${count.toLocaleString("en")} things in the files were not as they should be:`,
  },

  page: {
    searchTitle: "Search",
    searchLabel: "What are you looking for?",
    searchEmpty: "Write what to look for first: WebShop takes no empty search.",
    results: (query: string) => `Results for “${query}”`,
    place: (page: number, found: number) => `Page ${page}, ${count(found, "product")} found`,
    past: "There are no products on this page: WebShop’s Next > leads beyond the last one.",
    none: "No product was found. Other words may help.",
    seen: "opened before",
    optionsHint: "Arrow keys move, Space chooses. Each choice is one action.",
    price: webshop.price,
    rating: "Rating:",
    empty: "(WebShop shows nothing here.)",
    stars: (score: number) => `${score} of 5 stars`,
    department: "Department",
    query: "Found by the search",
    category: "Category",
    again: "Shop again",
    another: "Another goal",
    watchAgain: "Watch this trip again",
    outOfTurns: (turns: number) => `All ${turns} turns are used up; nothing was bought.`,
  },

  write: {
    label: "Write an action yourself",
    hint: "As a model has to: search[words] or click[name]",
    send: "Do it",
  },
  log: {
    title: "What a model would have written",
    watched: "Turns of this episode",
    empty: "Nothing yet. Search for something, and the action appears here.",
    turn: "Turn",
  },
  asModel: {
    title: "This page as a model reads it",
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
    outOfTurns: "All turns are used up.",
  },
  nothing: {
    lead: "Nothing happened.",
    empty: "An action is needed, for instance search[red shirt].",
    noAction: "That is no action: it must be search[words] or click[name].",
    notFirst: "The action must be the very first thing written; words before it are not allowed.",
    capitals: "Write search and click in small letters.",
    noArgument: "Something must stand between the brackets.",
    unclosed: "The closing bracket ] is missing.",
    brackets: "Brackets within the brackets are read wrongly, so this text is no action.",
    searchClick: "The search button cannot be clicked: write search[words].",
    absent: (name: string) => `Nothing on this page is called ${show(name)}.`,
    near: (name: string) => `The name must be exactly ${show(name)}, spaces included.`,
  },

  reward: {
    title: "The reward, term by term",
    total: "Reward",
    formula:
      "reward = type × (attributes + options + price) ÷ (number of attributes + options + 1)",
    type: "Type",
    typeHint: "Is it the kind of thing that was asked for?",
    attributes: "Attributes",
    attributesHint: (alike: number) =>
      `A wanted attribute counts when one of the product’s is more than ${alike} of 100 alike, or when it stands word for word in the title, the features or the description.`,
    options: "Options",
    optionsHint: (alike: number) =>
      `A wanted option counts when any chosen value is more than ${alike} of 100 alike. Texts with a colour’s name in them are reduced to it first.`,
    noOptions: "The goal asks for no options.",
    price: "Price",
    wanted: "Wanted",
    found: "Found",
    points: "Points",
    yes: "yes",
    no: "no",
    sameQuery: "Made from the same search",
    sameCategory: "Two parts of the category path in common",
    titleScore: "Share of the goal title’s nouns in this title",
    typeRules: {
      0: "0: the titles have no noun in common.",
      0.1: "0.1: less than a tenth of the nouns is in common.",
      0.5: "0.5: neither search nor category fits, and at most a fifth of the nouns is in common.",
      1: "1: search, category or title fits.",
    },
    by: {
      attribute: (own: string, score: number) =>
        `the product’s attribute “${own}”, ${score} of 100 alike`,
      title: "word for word in the title",
      features: "word for word in the features",
      description: "word for word in the description",
    },
    notBy: (own: string | null, score: number) =>
      own === null ? "not found" : `not found; closest is “${own}”, ${score} of 100 alike`,
    chosen: (value: string, score: number) => `you chose “${value}”, ${score} of 100 alike`,
    notChosen: (value: string | null, score: number) =>
      value === null
        ? "nothing was chosen"
        : `not satisfied; closest is “${value}”, ${score} of 100 alike`,
    reduced: (from: string, to: string) => `“${from}” counts as “${to}”`,
    priceWithin: (price: string, limit: string) => `${price}, within the limit of ${limit}`,
    priceAbove: (price: string, limit: string) => `${price}, above the limit of ${limit}`,
    atMost: (limit: string) => `at most ${limit}`,
    anyPrice: "any price",
    priceFree: (price: string) => `${price}; the goal sets no limit`,
    bought: "Bought",
    goalProduct: "The goal was made from",
    sameProduct: "the very same product",
    success: "Success: reward 1.",
    noSuccess: "Success would be a reward of 1.",
  },

  turn: {
    chosen: "chosen",
    chance: "how likely it is to be the policy’s whole response",
    impossible: "The page cannot be clicked here.",
    writeInstead: "An action can be written all the same.",
  },

  replay: {
    title: "Replay",
    none: "No episode is chosen yet. The expert’s shows how the task above is done.",
    choose: "Episode",
    own: "Your last trip",
    noOwn: "Your last trip (none yet)",
    expert: "An expert’s, who sees the reward",
    buyFirst: "Search and buy the first",
    random: "At random",
    pasted: "Actions that you paste",
    paste: "One action a line",
    pasteHint: "Responses of a model, or a file for turnbook play webshop --actions",
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
    writesNothing: "(nothing)",
    clicked: "clicked",
    searched: "WebShop searches on every page, although this one has no search box.",
    end: "The episode ends here.",
    cut: (left: number) =>
      `${count(left, "text")} after the end of the episode ${left === 1 ? "is" : "are"} left out.`,
    impossible: "This episode cannot be shown in the shop",
    shopForThis: "Shop for this goal yourself",
    keys: "← and → turn the pages, p plays.",
  },
} as const;

function count(n: number, noun: string): string {
  return `${n.toLocaleString("en")} ${plural(n, noun)}`;
}
