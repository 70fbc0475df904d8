import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const solid = (width: string, color: string): string => `${width} solid var(--color-${color})`

/** Colours come from tokens, so both themes are this one. */
const look = EditorView.theme({
  '&': {
    height: '100%',
    color: 'var(--color-code-text)',
    backgroundColor: 'var(--color-code)',
    fontSize: 'var(--text-mono)',
  },
  '&.cm-focused': { outline: solid('2px', 'focus'), outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: 'var(--leading-sm)', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--color-text)', padding: '0.5rem 0' },
  '.cm-line': { padding: '0 0.75rem 0 0.5rem' },
  '.cm-cursor, .cm-dropCursor': { borderInlineStartColor: 'var(--color-text)', borderInlineStartWidth: '2px' },
  '.cm-gutters': { backgroundColor: 'var(--color-code)', color: 'var(--color-code-muted)', border: '0' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '2.25rem', padding: '0 0.5rem 0 0.5rem' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLineGutter': { color: 'var(--color-code-text)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--color-line-strong)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--color-hover)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--color-hover)',
    outline: solid('1px', 'control'),
  },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--color-danger-soft)', color: 'var(--color-danger)' },
  '.cm-searchMatch': { backgroundColor: 'var(--color-warn-soft)', outline: solid('1px', 'warn') },
  '.cm-searchMatch.cm-searchMatch-selected': { backgroundColor: 'var(--color-line-strong)' },
  '.cm-specialChar': { color: 'var(--color-danger)' },
  '.cm-panels': {
    backgroundColor: 'var(--color-sunken)',
    color: 'var(--color-text)',
    fontFamily: 'var(--font-sans)',
    fontSize: 'var(--text-sm)',
  },
  '.cm-panels.cm-panels-top': { borderBottom: solid('1px', 'line') },
  '.cm-panel.cm-search': { padding: '0.5rem 1.5rem 0.5rem 0.5rem' },
  '.cm-panel.cm-search label': { fontSize: 'var(--text-sm)', whiteSpace: 'nowrap' },
  '.cm-textfield': {
    height: '1.75rem',
    padding: '0 0.5rem',
    border: solid('1px', 'control'),
    borderRadius: 'var(--radius-md)',
    backgroundColor: 'var(--color-raised)',
    fontSize: 'var(--text-sm)',
  },
  '.cm-button': {
    height: '1.75rem',
    padding: '0 0.5rem',
    border: solid('1px', 'line-strong'),
    borderRadius: 'var(--radius-md)',
    backgroundImage: 'none',
    backgroundColor: 'var(--color-raised)',
    fontSize: 'var(--text-sm)',
    '&:hover': { backgroundColor: 'var(--color-hover)' },
    '&:active': { backgroundImage: 'none', backgroundColor: 'var(--color-hover)' },
  },
  '.cm-panel.cm-search [name=close]': {
    width: '1.5rem',
    height: '1.5rem',
    fontSize: 'var(--text-lg)',
    color: 'var(--color-muted)',
  },
})

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.tagName, tags.propertyName, tags.heading], color: 'var(--color-code-key)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.url], color: 'var(--color-code-string)' },
  {
    tag: [tags.number, tags.bool, tags.null, tags.atom, tags.attributeName, tags.typeName],
    color: 'var(--color-code-value)',
  },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: 'var(--color-code-muted)' },
  { tag: tags.heading, fontWeight: 'var(--font-weight-strong)' },
  { tag: tags.strong, fontWeight: 'var(--font-weight-strong)' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.link, textDecoration: 'underline' },
  { tag: tags.invalid, color: 'var(--color-danger)' },
])

export const editorTheme: Extension = [look, syntaxHighlighting(colours)]
