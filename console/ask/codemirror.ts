import {
  autocompletion,
  closeCompletion,
  closeBrackets,
  type Completion,
  type CompletionContext,
  completionKeymap,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { sql, SQLDialect, type SQLNamespace } from '@codemirror/lang-sql'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap, placeholder } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { contract } from '../../schemas/contract.ts'
import { views } from '../../schemas/views.ts'

/**
 * An editor of SQL in a shadow root: there its styles are adopted style sheets, so the page's policy need not permit style
 * elements. It takes over the text of a text area, its cursor and its focus.
 */
export function openEditor(
  parent: HTMLElement,
  area: HTMLTextAreaElement,
  { onChange, onRun }: { onChange(text: string): void; onRun(): void },
): EditorView {
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' })
  const run = (view: EditorView) => (closeCompletion(view), onRun(), true)
  const view = new EditorView({
    root,
    parent: root as unknown as DocumentFragment,
    state: EditorState.create({
      doc: area.value,
      selection: { anchor: area.selectionEnd },
      extensions: [
        keymap.of([
          { key: 'Mod-Enter', run },
          { key: 'Shift-Enter', run },
          ...completionKeymap,
          ...defaultKeymap,
          ...historyKeymap,
        ]),
        history(),
        drawSelection(),
        closeBrackets(),
        autocompletion({ icons: false }),
        placeholder('SELECT …'),
        dialect.language.data.of({ autocomplete: columnsOfViews }),
        sql({ dialect, schema: namespace, upperCaseKeywords: true }),
        syntaxHighlighting(highlighting),
        theme,
        EditorView.lineWrapping,
        EditorView.domEventHandlers({ beforeinput: typeOver }),
        EditorView.contentAttributes.of({ 'aria-label': area.ariaLabel!, spellcheck: 'false' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString())
        }),
      ],
    }),
  })
  if (document.activeElement === area) view.focus()
  return view
}

/** Types over a selection in place of the browser, which would write the colour of its text as a style, against the policy. */
function typeOver(event: InputEvent, view: EditorView): boolean {
  const { main } = view.state.selection
  const text = event.data
  if (event.inputType !== 'insertText' || text === null || main.empty || view.composing) return false
  const typed = () =>
    view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true })
  const handlers = view.state.facet(EditorView.inputHandler)
  if (!handlers.some((handle) => handle(view, main.from, main.to, text, typed))) view.dispatch(typed())
  event.preventDefault()
  return true
}

/** The words that statements over the views need; all of PostgreSQL's would hide the columns among them. */
const dialect = SQLDialect.define({
  keywords: `all and as asc between by case cast coalesce count cross date_trunc desc distinct else end exists extract
    false filter first from full group having ilike in inner interval is join lag last lateral lead left like limit max
    min not null nulls offset on or order outer over partition right row_number select sum avg then timestamp true union
    using values when where with`,
  types: 'bigint boolean double float8 integer json jsonb numeric text timestamptz',
  doubleQuotedStrings: false,
})

/** The columns of a view; a column that refers to another view says so. */
const columnsOf = ({ name, columns }: (typeof views)[number]): readonly Completion[] =>
  columns.map((column) => ({
    label: column.name,
    type: 'property',
    detail: relationOf(`${name}.${column.name}`) ?? column.types.join(' or '),
    info: column.description,
  }))

const namespace: SQLNamespace = Object.fromEntries(
  views.map((view) => [
    view.name,
    { self: { label: view.name, type: 'class', detail: view.title }, children: columnsOf(view) },
  ]),
)

/** The columns of the views that the statement names, for names without an alias. */
function columnsOfViews(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/(?<![.\w])\w+$/)
  if (!word) return null
  const text = context.state.doc.toString()
  const named = views.filter(({ name }) => new RegExp(`\\b${name}\\b`, 'i').test(text))
  const options = named.flatMap((view) => columnsOf(view).map((one) => ({ ...one, detail: view.name })))
  return { from: word.from, options, validFor: /^\w*$/ }
}

function relationOf(column: string): string | undefined {
  const relation = contract.relations.find(({ from }) => from === column)
  return relation && `→ ${relation.to}`
}

const highlighting = HighlightStyle.define([
  { tag: tags.keyword, color: 'light-dark(#8a2da5, #d6a3f0)', fontWeight: '600' },
  { tag: tags.string, color: 'light-dark(#1d6b2f, #8fd6a1)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'light-dark(#9a4a00, #f0b27a)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
])

const theme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--back)', fontSize: '13px', borderRadius: '8px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px', minHeight: '142px', maxHeight: '40vh' },
  '.cm-content': { padding: '10px 12px', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-back)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--back)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '15em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-back)',
    color: 'var(--text)',
  },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal', marginLeft: '1.2em' },
  '.cm-completionInfo': { padding: '6px 10px', maxWidth: '320px', fontFamily: 'system-ui, sans-serif' },
})
