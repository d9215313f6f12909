// The editor of rules: CodeMirror, put into a shadow root. There it keeps its styles in adopted sheets, which the content security
// policy allows; as `<style>` elements it would refuse them.
import { EditorState, EditorView, keymap, lineNumbers, highlightActiveLine, highlightActiveLineGutter, drawSelection, history as undoHistory, historyKeymap, defaultKeymap, indentWithTab, StreamLanguage, HighlightStyle, syntaxHighlighting, bracketMatching, autocompletion, completionKeymap, closeBrackets, closeBracketsKeymap, setDiagnostics, lintGutter, lintKeymap, searchKeymap, highlightSelectionMatches, tags } from "./codemirror.js";
import { h } from "./dom.js";
import { pieceAt, FUNCTIONS, ITEMS, KEYWORDS, TYPES } from "./words.js";

const TAG = { doc: "docComment", comment: "comment", string: "string", number: "number", keyword: "keyword", item: "definitionKeyword", type: "typeName", function: "standard", operator: "operator" };

const language = StreamLanguage.define({
  name: "rules",
  token(stream) {
    if (stream.eatSpace()) return null;
    const { end, kind } = pieceAt(stream.string, stream.pos);
    stream.pos = Math.min(end, stream.string.length);
    return kind === null ? null : TAG[kind];
  },
  tokenTable: { standard: tags.standard(tags.name) },
  languageData: { commentTokens: { line: "//" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
});

const colours = HighlightStyle.define([
  { tag: tags.docComment, color: "var(--code-doc)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.keyword, color: "var(--code-keyword)", fontWeight: "600" },
  { tag: tags.definitionKeyword, color: "var(--code-item)", fontWeight: "600" },
  { tag: tags.typeName, color: "var(--code-type)" },
  { tag: tags.standard(tags.name), color: "var(--code-function)" },
]);

const looks = EditorView.theme({
  "&": { height: "100%", fontSize: "14px", color: "var(--ink)", backgroundColor: "var(--card)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--ink)", padding: "10px 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--tint)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { backgroundColor: "var(--selection)" },
  ".cm-selectionMatch": { backgroundColor: "var(--selection)" },
  ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "8px", boxShadow: "var(--shadow)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-diagnostic": { padding: "6px 10px", maxWidth: "34rem", whiteSpace: "pre-wrap" },
  ".cm-panels": { backgroundColor: "var(--tint)", color: "var(--ink)" },
});

// Where text is typed over a selection, the browser would keep the look of what was there in a style attribute, which the policy
// refuses with a complaint. So the editor replaces the selection itself.
const typeOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main } = view.state.selection;
    if (event.inputType !== "insertText" || event.isComposing || !event.data || main.empty) return false;
    const change = () => view.state.update(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
    const taken = view.state.facet(EditorView.inputHandler).some((handler) => handler(view, main.from, main.to, event.data, change));
    if (!taken) view.dispatch(change());
    event.preventDefault();
    return true;
  },
});

/** The place of a line and column (both from 1, columns in characters) in the text. */
function offset(doc, line, column) {
  const found = doc.line(Math.max(1, Math.min(line, doc.lines)));
  const units = [...found.text].slice(0, Math.max(0, column - 1)).join("").length;
  return found.from + Math.min(units, found.length);
}

function asMark(doc, one) {
  const { place } = one;
  const from = place ? offset(doc, place.line, place.column) : 0;
  const end = place?.end_line !== undefined ? offset(doc, place.end_line, place.end_column) : from + 1;
  const message = [one.message, ...(one.notes ?? []), one.help].filter(Boolean).join("\n");
  return { from, to: Math.min(doc.length, Math.max(end, from)), severity: "error", message };
}

export class Editor {
  /** `changed(text)` hears of every change. */
  constructor(text, changed) {
    this.names = [];
    this.box = h("div", { class: "editor" });
    const root = this.box.attachShadow({ mode: "open" });
    const heard = EditorView.updateListener.of((update) => update.docChanged && changed(this.text()));
    this.view = new EditorView({ parent: root, root, state: EditorState.create({ doc: text, extensions: [this.extensions(), heard] }) });
  }

  extensions() {
    return [
      lineNumbers(),
      lintGutter(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      undoHistory(),
      drawSelection(),
      bracketMatching(),
      closeBrackets(),
      highlightSelectionMatches(),
      language,
      syntaxHighlighting(colours),
      looks,
      typeOver,
      EditorState.tabSize.of(4),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": "Rules", spellcheck: "false" }),
      autocompletion({ override: [(context) => this.complete(context)] }),
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
    ];
  }

  complete(context) {
    const word = context.matchBefore(/[A-Za-z_]\w*/);
    if (word === null && !context.explicit) return null;
    // Broken rules have no names that the server can tell, so the words of the text itself are offered too, except the one being written.
    const written = this.text().replace(/\/\/.*|"[^"\n]*"/g, " ").match(/[A-Za-z_]\w+/g) ?? [];
    const others = written.filter((name) => name !== word?.text);
    const kinds = [
      [this.names, "variable"],
      [KEYWORDS, "keyword"],
      [ITEMS, "keyword"],
      [TYPES, "type"],
      [FUNCTIONS, "function"],
      [others, "text"],
    ];
    const options = kinds.flatMap(([labels, type]) => labels.map((label) => ({ label, type })));
    const seen = new Set();
    return { from: word?.from ?? context.pos, options: options.filter((one) => !seen.has(one.label) && seen.add(one.label)), validFor: /^\w*$/ };
  }

  text() {
    return this.view.state.doc.toString();
  }

  /** Puts another text in place of all. */
  replaceText(text) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  /** Marks mistakes at their places. */
  mark(diagnostics) {
    const marks = diagnostics.map((one) => asMark(this.view.state.doc, one));
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  /** Puts the cursor at a place. */
  goTo(place) {
    const at = offset(this.view.state.doc, place.line, place.column);
    this.view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    this.view.focus();
  }
}
