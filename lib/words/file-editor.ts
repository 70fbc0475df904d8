import { labelsOf, quotingSentencesOf, type Catalogue } from '@/lib/base/catalogue'

export const editorSentence = quotingSentencesOf({
  'file-editor.label': 'Editor: {path}',
  'file-editor.keys': 'Tab indents. Press Esc, then Tab, to leave the editor.',
} as const satisfies Catalogue)

/** What CodeMirror itself says, by the words that it would say; `$` is a number. */
export const editorPhrases = labelsOf('file-editor.phrase', {
  Find: 'Find',
  Replace: 'Replace',
  next: 'next',
  previous: 'previous',
  all: 'all',
  'match case': 'match case',
  regexp: 'regexp',
  'by word': 'by word',
  replace: 'replace',
  'replace all': 'replace all',
  close: 'close',
  'current match': 'current match',
  'replaced match on line $': 'replaced match on line $',
  'replaced $ matches': 'replaced $ matches',
  'on line': 'on line',
  'Go to line': 'Go to line',
  go: 'go',
  'Selection deleted': 'Selection deleted',
  'Control character': 'Control character',
})
