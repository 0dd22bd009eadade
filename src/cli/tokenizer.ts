/** `tokenizer --out DIR`: learns the talker's tokenizer and writes it as a Hugging Face folder. */
import { InputError } from "../numeric/inputError.ts";
import { CHECKSUMS, formatChecksums } from "../model/checksums.ts";
import { BYTE_LETTERS, learnMerges } from "../text/bpe.ts";
import { fileText } from "../text/domainVocabulary.ts";
import { packMerges } from "../text/talkerMerges.ts";
import { TALKER_ADDED, TALKER_SIZE, talkerTokenizerFiles } from "../text/talkerTokenizer.ts";
import { QWEN3_TEMPLATE } from "../text/talkerTemplate.ts";
import { outFolder, parseArgs } from "./args.ts";
import type { Command } from "./command.ts";
import { OutputFolder } from "./outputFolder.ts";
import { talkerCorpus } from "./talkerCorpus.ts";

/** The bytes and the added tokens, without a merge. */
const SMALLEST = BYTE_LETTERS.length + TALKER_ADDED.length;

export const tokenizerCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, {
    out: { type: "string" },
    force: { type: "flag" },
    tokens: { type: "integer", min: SMALLEST, max: 32 * TALKER_SIZE },
    games: { type: "integer", min: 100 },
  });
  if (outFolder(args) === undefined)
    throw new InputError("tokenizer needs --out DIR, the folder to write");
  const target = new OutputFolder(args.string("out")!, args.flag("force"));
  const size = args.number("tokens") ?? TALKER_SIZE;
  const texts = [...talkerCorpus(args.number("games"))];
  const added = new RegExp(TALKER_ADDED.map((token) => token.replaceAll("|", "\\|")).join("|"));
  const merges = learnMerges(
    texts.flatMap((text) => text.split(added)),
    size - TALKER_ADDED.length,
  );
  const tokens = SMALLEST + merges.length;
  if (tokens < size)
    throw new InputError(`the texts give only ${tokens} tokens, not ${size}; --games N plays more`);
  const { tokenizer, config } = talkerTokenizerFiles(merges);
  const files = new Map(
    Object.entries({
      "tokenizer.json": fileText(tokenizer),
      "tokenizer_config.json": fileText(config),
      "chat_template.jinja": QWEN3_TEMPLATE,
    }).map(([name, text]) => [name, new TextEncoder().encode(text)]),
  );
  files.set(CHECKSUMS, new TextEncoder().encode(await formatChecksums(files)));
  target.write(files);
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  out.json({
    out: args.string("out"),
    texts: texts.length,
    characters,
    tokens,
    merges: packMerges(merges),
  });
};
