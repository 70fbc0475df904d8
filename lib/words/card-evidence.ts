import { quotingSentencesOf } from '@/lib/base/catalogue'

/** What stands around what a call would do, and what it gave. */
export const evidenceSentence = quotingSentencesOf({
  'card-evidence.code': 'Code',
  'card-evidence.arguments': 'Arguments',
  'card-evidence.new-text': 'New text of {path}',
  'card-evidence.change': 'Change to {path}',
  'card-evidence.same': 'The file holds exactly this text already.',
  'card-evidence.all-files': 'show all {files, number} files',
  'card-evidence.unlisted': 'and {count, number} more',

  'card-evidence.more': 'show {count, number} more',
  'card-evidence.beside': 'Sent with it',
  'card-evidence.result': 'Result',
  'card-evidence.result-of': 'Result: {name}',
  'card-evidence.rows': '{rows, number} rows',
  'card-evidence.rows-of': '{name}, {rows, number} rows',
  'card-evidence.table': 'Table',
  'card-evidence.tree': 'Tree',
  'card-evidence.why': '{all, sentences}',
  'card-evidence.no-why': 'It failed without saying why.',
})
