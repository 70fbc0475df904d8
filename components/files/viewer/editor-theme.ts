import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Colours come from tokens, so both themes are this one. */
const look = EditorView.theme({
  '&': {
    height: '100%',
    color: 'var(--code-text)',
    backgroundColor: 'var(--code)',
    fontSize: 'var(--type-code)',
  },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: 'var(--lead-code)', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)', padding: 'var(--space-2) 0' },
  '.cm-line': { padding: '0 var(--space-3) 0 var(--space-2)' },
  '.cm-cursor, .cm-dropCursor': { borderInlineStartColor: 'var(--text)', borderInlineStartWidth: '2px' },
  '.cm-gutters': { backgroundColor: 'var(--code)', color: 'var(--code-muted)', border: '0' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '2.25rem', padding: '0 var(--space-2) 0 var(--space-2)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLineGutter': { color: 'var(--code-text)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--line-strong)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--surface-hover)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--surface-hover)',
    outline: '1px solid var(--line-control)',
  },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--danger-soft)', color: 'var(--danger)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)', outline: '1px solid var(--warn)' },
  '.cm-searchMatch.cm-searchMatch-selected': { backgroundColor: 'var(--line-strong)' },
  '.cm-specialChar': { color: 'var(--danger)' },
  '.cm-panels': {
    backgroundColor: 'var(--surface-sunken)',
    color: 'var(--text)',
    fontFamily: 'var(--font-ui)',
    fontSize: 'var(--type-sm)',
  },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: 'var(--space-2) var(--space-6) var(--space-2) var(--space-2)' },
  '.cm-panel.cm-search label': { fontSize: 'var(--type-sm)', whiteSpace: 'nowrap' },
  '.cm-textfield': {
    height: '1.75rem',
    padding: '0 0.5rem',
    border: '1px solid var(--line-control)',
    borderRadius: 'var(--radius-md)',
    backgroundColor: 'var(--surface-raised)',
    fontSize: 'var(--type-sm)',
  },
  '.cm-button': {
    height: '1.75rem',
    padding: '0 0.5rem',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-md)',
    backgroundImage: 'none',
    backgroundColor: 'var(--surface-raised)',
    fontSize: 'var(--type-sm)',
    '&:hover': { backgroundColor: 'var(--surface-hover)' },
    '&:active': { backgroundImage: 'none', backgroundColor: 'var(--surface-hover)' },
  },
  '.cm-panel.cm-search [name=close]': {
    width: '1.5rem',
    height: '1.5rem',
    fontSize: 'var(--type-lg)',
    color: 'var(--text-muted)',
  },
})

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.tagName, tags.propertyName, tags.heading], color: 'var(--code-key)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.url], color: 'var(--code-string)' },
  {
    tag: [tags.number, tags.bool, tags.null, tags.atom, tags.attributeName, tags.typeName],
    color: 'var(--code-value)',
  },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: 'var(--code-muted)' },
  { tag: tags.heading, fontWeight: 'var(--weight-strong)' },
  { tag: tags.strong, fontWeight: 'var(--weight-strong)' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.link, textDecoration: 'underline' },
  { tag: tags.invalid, color: 'var(--danger)' },
])

export const editorTheme: Extension = [look, syntaxHighlighting(colours)]
