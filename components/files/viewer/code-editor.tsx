'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentOnInput, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  EditorView,
  drawSelection,
  dropCursor,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { useEffect, useEffectEvent, useId, useRef } from 'react'
import { watchReader } from '@/lib/base/text/languages'
import { t } from '@/lib/i18n/t'
import { smallestChange } from '@/lib/client/files/edit/edit-session'
import type { TextForm } from '@/lib/client/files/edit/text-file'
import type { CodeLanguage } from '@/lib/client/files/kind-of-file'
import { loadPart } from '@/lib/i18n/load-part'
import { tags } from '@lezer/highlight'

const solid = (width: string, color: string): string => `${width} solid var(--color-${color})`

/** Colors come from tokens, so this serves both themes. */
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

const editorTheme: Extension = [look, syntaxHighlighting(colours)]

type Loader = () => Promise<Extension>

const script = (options: { readonly jsx?: boolean; readonly typescript?: boolean }): Loader => {
  return async () => (await loadPart(() => import('@codemirror/lang-javascript'))).javascript(options)
}

/** One chunk per language, loaded on first use. */
const loaders: Readonly<Record<CodeLanguage, Loader>> = {
  javascript: script({}),
  jsx: script({ jsx: true }),
  typescript: script({ typescript: true }),
  tsx: script({ jsx: true, typescript: true }),
  json: async () => (await loadPart(() => import('@codemirror/lang-json'))).json(),
  markdown: async () => (await loadPart(() => import('@codemirror/lang-markdown'))).markdown(),
  html: async () => (await loadPart(() => import('@codemirror/lang-html'))).html(),
  css: async () => (await loadPart(() => import('@codemirror/lang-css'))).css(),
  python: async () => (await loadPart(() => import('@codemirror/lang-python'))).python(),
  xml: async () => (await loadPart(() => import('@codemirror/lang-xml'))).xml(),
  yaml: async () => (await loadPart(() => import('@codemirror/lang-yaml'))).yaml(),
  sql: async () => (await loadPart(() => import('@codemirror/lang-sql'))).sql(),
}

const loadLanguage = (language: CodeLanguage): Promise<Extension> => loaders[language]()

export interface CodeEditorProps {
  readonly path: string
  /** Lines are separated by `lineEnd`. A different text from outside replaces the editor's text. */
  readonly text: string
  readonly lineEnd: TextForm['lineEnd']
  readonly language: CodeLanguage | null
  readonly readOnly: boolean
  readonly onEdit: (text: string) => void
  readonly onSave: () => void
}

/** Below this width, long lines wrap. */
const wrapBelowPx = 640

/** CodeMirror with our colors, mounted for one path. It is a separate chunk, with one more per language. */
export default function CodeEditor(props: CodeEditorProps) {
  const { path, text, lineEnd, language, readOnly } = props
  const parent = useRef<HTMLDivElement>(null)
  const editor = useRef<{ readonly view: EditorView; readonly words: Compartment; text: string } | null>(null)
  const hint = useId()
  const onEdit = useEffectEvent((value: string) => props.onEdit(value))
  const onSave = useEffectEvent(() => props.onSave())

  const initialText = useEffectEvent(() => text)
  const wordsNow = useEffectEvent(() => wordsOf(path, hint))
  useEffect(() => {
    if (!parent.current) return
    const languages = new Compartment()
    const wrapping = new Compartment()
    const words = new Compartment()
    const doc = initialText()
    const view = new EditorView({
      parent: parent.current,
      doc,
      extensions: [
        EditorState.lineSeparator.of(lineEnd),
        EditorView.cspNonce.of(document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? ''),
        words.of(wordsOf(path, hint)),
        EditorState.readOnly.of(readOnly),
        EditorView.clipboardInputFilter.of((pasted) => pasted.replaceAll(/\r\n?|\n/g, lineEnd)),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged || !editor.current) return
          const value = update.state.sliceDoc()
          if (value === editor.current.text) return
          editor.current.text = value
          onEdit(value)
        }),
        keymap.of([
          {
            key: 'Mod-s',
            preventDefault: true,
            run() {
              onSave()
              return true
            },
          },
        ]),
        languages.of([]),
        wrapping.of(EditorView.lineWrapping),
        ...parts,
      ],
    })
    editor.current = { view, words, text: doc }
    const colour = async (known: CodeLanguage) => {
      const extension = await loadLanguage(known)
      if (editor.current?.view === view) view.dispatch({ effects: languages.reconfigure(extension) })
    }
    // If the chunk can't be loaded, the text stays plain.
    if (language) colour(language).catch(() => {})
    const wide = new ResizeObserver(([entry]) => {
      const isWide = (entry?.contentRect.width ?? 0) >= wrapBelowPx
      view.dispatch({ effects: wrapping.reconfigure(isWide ? [] : EditorView.lineWrapping) })
    })
    wide.observe(parent.current)
    return () => {
      wide.disconnect()
      view.destroy()
      editor.current = null
    }
  }, [path, lineEnd, readOnly, language, hint])

  useEffect(
    () =>
      watchReader(() => {
        const current = editor.current
        current?.view.dispatch({ effects: current.words.reconfigure(wordsNow()) })
      }),
    [],
  )

  useEffect(() => {
    const current = editor.current
    if (!current || current.text === text) return
    // The editor counts every line end as one character.
    const counted = (value: string) => (lineEnd === '\n' ? value : value.replaceAll(lineEnd, '\n'))
    const { from, to, insert } = smallestChange(counted(current.text), counted(text))
    current.text = text
    current.view.dispatch({ changes: { from, to, insert: insert.replaceAll('\n', lineEnd) } })
  }, [text, lineEnd])

  return (
    <div
      className="relative min-h-0 flex-1 bg-code"
      role="presentation"
      onKeyDown={(event) => {
        // Esc frees Tab and closes the search; it must not also close the editor's container.
        if (event.key !== 'Escape') return
        event.stopPropagation()
        event.preventDefault()
      }}
    >
      <div ref={parent} className="absolute inset-0" />
      <p id={hint} className="sr-only">
        {t('file-editor.keys')}
      </p>
    </div>
  )
}

/** CodeMirror's own texts, keyed by their English; `$` is a number. */
const phrases = [
  'Find',
  'Replace',
  'next',
  'previous',
  'all',
  'match case',
  'regexp',
  'by word',
  'replace',
  'replace all',
  'close',
  'current match',
  'replaced match on line $',
  'replaced $ matches',
  'on line',
  'Go to line',
  'go',
  'Selection deleted',
  'Control character',
] as const

/** The editor's name and its search texts, in the current language. */
const wordsOf = (path: string, hint: string): Extension => [
  EditorView.contentAttributes.of({
    'aria-label': labelOf(t('file-editor.label', { path: asUntrusted(path) })),
    'aria-describedby': hint,
  }),
  EditorState.phrases.of(Object.fromEntries(phrases.map((phrase) => [phrase, t(`file-editor.phrase.${phrase}`)]))),
]

const parts: readonly Extension[] = [
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  history(),
  drawSelection(),
  dropCursor(),
  EditorState.allowMultipleSelections.of(true),
  EditorState.tabSize.of(2),
  indentOnInput(),
  bracketMatching(),
  highlightSelectionMatches(),
  search({ top: true }),
  keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
  editorTheme,
]
