/** The text of a cell in CodeMirror: Markdown, or YAML with names completed from the schema. */
import {
  autocompletion,
  completeFromList,
  completionKeymap,
  currentCompletions,
  ifNotIn,
  type CompletionContext,
} from "@codemirror/autocomplete";
import { defaultKeymap, indentWithTab } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { markdown } from "@codemirror/lang-markdown";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { linter, type Diagnostic } from "@codemirror/lint";
import {
  Compartment,
  EditorState,
  Prec,
  StateEffect,
  StateField,
  type Extension,
  type Transaction,
} from "@codemirror/state";
import { Decoration, EditorView, keymap, WidgetType, type DecorationSet } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useEffectEvent, useRef, type RefObject } from "react";
import type { Cell } from "../../notebook/cell.ts";
import { remarksOf } from "../../notebook/cellFields.ts";
import { kindOf, type CellType } from "../../notebook/cells/kinds.ts";
import { completionsAt, type KnownNames } from "../../notebook/completions.ts";
import type { Remark } from "../../notebook/body.ts";
import type { Definition } from "../../spec/definitions.ts";
import type { Caret } from "../../store/bookStore.ts";
import { slashMenu } from "./slashMenu.ts";
import { words } from "./words.ts";

interface SourceEditorProps {
  text: string;
  /** Null: it is prose. */
  type: CellType | null;
  /** Code that defines something is a module. */
  defines?: boolean;
  /** What its text may name. */
  known: () => KnownNames;
  /** Of the notebook's code cells: experiments may name them. */
  definitions: readonly Definition[];
  /** Accessible name. */
  label: string;
  /** Where the caret goes now, and what is typed there; null where it stays. */
  caret?: Caret | null;
  /** It is there. */
  onCaret?: () => void;
  onChange: (text: string) => void;
  /** Chosen from the menu of "/" in prose: what stands before and behind it. */
  onSlash: (type: Cell["type"], around: readonly [string, string]) => void;
  /** Control and Enter. */
  onRun: () => void;
  /** Escape. */
  onLeave: () => void;
}

export function SourceEditor(props: SourceEditorProps) {
  const { text, type, definitions, label, caret = null, defines = false } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const changed = useEffectEvent(props.onChange);
  const slash = useEffectEvent(props.onSlash);
  const run = useEffectEvent(() => props.onRun());
  const leave = useEffectEvent(() => props.onLeave());
  const remarks = useEffectEvent((body: string) =>
    type === null ? [] : remarksOf(type, body, definitions),
  );
  const known = useEffectEvent(() => props.known());
  const start = useRef({ text, label });
  useEffect(() => {
    // In a root of its own the editor adopts its styles; in the page it would need inline ones, which the policy forbids.
    const root = place.current!.shadowRoot ?? place.current!.attachShadow({ mode: "open" });
    const editor = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: start.current.text,
        extensions: [
          keymap.of([{ key: "Mod-Enter", run: () => (run(), true) }]),
          leftByEscape(() => leave()),
          naming.of(namedBy(start.current.label)),
          ...extensionsFor(
            type,
            (body) => remarks(body),
            () => known(),
            defines,
          ),
          type === null ? slashMenu((wanted, around) => slash(wanted, around)) : [],
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [type, defines]);
  // Undo, a form or another tab may have changed the text.
  useEffect(() => {
    const editor = view.current;
    start.current.text = text;
    if (!editor || editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);
  // Another cell may now define what this one names.
  useEffect(() => view.current?.dispatch({ effects: LOOK_AGAIN.of(null) }), [definitions]);
  // A cell is called by its first line: an editor made anew while that is written would lose the focus.
  useEffect(() => {
    start.current.label = label;
    view.current?.dispatch({ effects: naming.reconfigure(namedBy(label)) });
  }, [label]);
  useCaret(view, caret, props.onCaret);
  return <div ref={place} className="source" data-testid="source" />;
}

/** Puts the caret where it is wanted, and says so. */
function useCaret(
  view: RefObject<EditorView | null>,
  caret: Caret | null,
  onCaret: (() => void) | undefined,
): void {
  const arrived = useEffectEvent(() => onCaret?.());
  useEffect(() => {
    if (!caret || !view.current) return;
    placeCaret(view.current, caret);
    arrived();
  }, [view, caret]);
}

/** Pixels at the window's edges that the header or the run's bar may cover. */
const BARS = 64;

function placeCaret(editor: EditorView, { from, to, typed }: Caret): void {
  const { length } = editor.state.doc;
  const [start, end] = [Math.min(from, length), Math.min(to, length)];
  editor.dispatch({
    ...(typed !== "" && { changes: { from: start, to: end, insert: typed } }),
    selection: typed === "" ? { anchor: start, head: end } : { anchor: start + typed.length },
  });
  const { head } = editor.state.selection.main;
  editor.dispatch({ effects: EditorView.scrollIntoView(head, { yMargin: BARS }) });
  editor.focus();
}

/** What is said of an editor, which changes while it stays. */
const naming = new Compartment();
const namedBy = (label: string) => EditorView.contentAttributes.of({ "aria-label": label });

function extensionsFor(
  type: SourceEditorProps["type"],
  remarks: (body: string) => readonly Remark[],
  known: () => KnownNames,
  defines: boolean,
): Extension[] {
  return [
    languageOf(type, known, remarks, defines),
    syntaxHighlighting(HIGHLIGHT),
    THEME,
    bracketMatching(),
    EditorView.lineWrapping,
    // Undo is the notebook's, across all its cells. Escape leaves the editor.
    keymap.of([
      ...completionKeymap,
      ...defaultKeymap.filter(({ key }) => key !== "Escape"),
      indentWithTab,
    ]),
  ];
}

/** Prose is Markdown, code is TypeScript, all other bodies are YAML. */
function languageOf(
  type: SourceEditorProps["type"],
  known: () => KnownNames,
  remarks: (body: string) => readonly Remark[],
  defines: boolean,
): Extension {
  if (type === null) return [markdown(), PICTURES];
  if (!kindOf(type).isCode) return [yaml(), completing(type, known), problemsBy(remarks)];
  return [
    javascript({ typescript: true }),
    autocompletion({ override: [ifNotIn(NO_NAMES, (at) => offered(known().code)(at))] }),
    linter((view) => codeProblems(view, defines)),
  ];
}

const offered = (names: KnownNames["code"]) =>
  completeFromList(names.map(([label, detail]) => ({ label, detail, type: "variable" })));

/** Where code names nothing of another cell. */
const NO_NAMES =
  "String TemplateString RegExp LineComment BlockComment PropertyName PropertyDefinition VariableDefinition".split(
    " ",
  );

/** The page's colours reach into the root; its rules do not. */
const THEME = EditorView.theme({
  "&": { fontFamily: "var(--mono)", fontSize: "0.875rem", color: "var(--ink)" },
  "&.cm-focused": { outline: "2px solid var(--go)" },
  ".cm-content": { caretColor: "var(--ink)", fontFamily: "var(--mono)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection": {
    background: "var(--line-2)",
  },
  ".cm-tooltip": { background: "var(--raised)", borderColor: "var(--line-2)", color: "var(--ink)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    background: "var(--go)",
    color: "var(--go-ink)",
  },
});

/** By weight and slant, so that it reads in every theme; colours are for signs and methods. */
const HIGHLIGHT = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "700" },
  { tag: tags.strong, fontWeight: "700" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: [tags.keyword, tags.definition(tags.propertyName), tags.propertyName], fontWeight: "600" },
  { tag: [tags.comment, tags.string, tags.link, tags.url], color: "var(--ink-2)" },
]);

/** Names of fields, each followed by what it may say. */
function completing(type: CellType, known: () => KnownNames): Extension {
  const source = ({ state, pos, explicit }: CompletionContext) => {
    const found = completionsAt(type, state.doc.toString(), pos, known());
    if (!found || (found.from === pos && found.atStart && !explicit)) return null;
    const options = found.options.map(({ kind, ...option }) => ({ ...option, type: TYPES[kind] }));
    return { from: found.from, options, validFor: /^[\w.@-]*$/ };
  };
  return autocompletion({
    override: [source],
    activateOnCompletion: (completion) => completion.type === TYPES.field,
  });
}

/** The editor's words for what is offered. */
const TYPES = { field: "property", value: "enum" } as const;

/** What cannot be read of a code cell, as what runs it reads it. */
async function codeProblems({ state }: EditorView, defines: boolean): Promise<Diagnostic[]> {
  const { checkDefinition, readCell } = await import("../../runtime/sandbox/freeNames.ts");
  try {
    await (defines ? checkDefinition : readCell)(state.doc.toString(), "cell");
    return [];
  } catch (error) {
    const { line = 1, what } = error as { line?: number | null; what?: string };
    const { from, to } = state.doc.line(Math.min(Math.max(line ?? 1, 1), state.doc.lines));
    return [{ from, to, severity: "error", message: what ?? String(error) }];
  }
}

class PictureWidget extends WidgetType {
  constructor(readonly length: number) {
    super();
  }
  override eq(other: PictureWidget): boolean {
    return other.length === this.length;
  }
  toDOM(): HTMLElement {
    const box = document.createElement("em");
    box.textContent = words.pictureOf(this.length);
    return box;
  }
}

/** A pasted picture's data is one sign in the text, which is deleted whole. */
const picturesIn = ({ doc }: EditorState): DecorationSet =>
  Decoration.set(
    [...doc.toString().matchAll(/data:image\/\w+;base64,[\w+/=]+/g)].map(
      ({ 0: { length }, index }) =>
        Decoration.replace({ widget: new PictureWidget(length) }).range(index, index + length),
    ),
  );

const PICTURES = StateField.define<DecorationSet>({
  create: picturesIn,
  update: (before, { docChanged, state }) => (docChanged ? picturesIn(state) : before),
  provide: (field) => [
    EditorView.decorations.from(field),
    EditorView.atomicRanges.of(({ state }) => state.field(field)),
  ],
});

/** Sent when what is wrong may have changed without the text. */
const LOOK_AGAIN = StateEffect.define<null>();

function problemsBy(remarks: (body: string) => readonly Remark[]): Extension {
  const find = ({ state }: EditorView): Diagnostic[] =>
    remarks(state.doc.toString()).map(({ line, message }) => {
      const { from, to } = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines));
      return { from, to, severity: "warning", message };
    });
  const needsRefresh = ({ transactions }: { transactions: readonly Transaction[] }) =>
    transactions.some(({ effects }) => effects.some((effect) => effect.is(LOOK_AGAIN)));
  return linter(find, { needsRefresh });
}

/** An open list of completions closes first; one that is only being looked for does not take the key. */
function leftByEscape(leave: () => void): Extension {
  const run = ({ state }: EditorView) => {
    if (currentCompletions(state).length > 0) return false;
    leave();
    return true;
  };
  return Prec.highest(keymap.of([{ key: "Escape", run }]));
}
