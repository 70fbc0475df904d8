import type { TextKind } from './mark'

/** Files that people read: their scripts and emoji keep what they need. Everything else may be run or compared. */
const proseEndings: ReadonlySet<string> = new Set([
  '',
  'md',
  'markdown',
  'txt',
  'text',
  'rst',
  'adoc',
  'csv',
  'tsv',
  'log',
  'srt',
  'tex',
])

/** The ending of a file's name in lower case, without its dot; '' for none. */
export const endingOf = (path: string): string => /\.([A-Za-z0-9]{1,8})$/.exec(path)?.[1]?.toLowerCase() ?? ''

/** How the text of a file is to be read, by its name. */
export const readingOfFile = (path: string): TextKind => (proseEndings.has(endingOf(path)) ? 'prose' : 'code')
