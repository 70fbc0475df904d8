import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** What is said where a result waits for a look before it goes to the model. */
export const gateSentence = sentencesOf({
  /** `known`: what the model was sent of it already. */
  'gate.size': 'Its result has {size, bytes}, about {tokens, number} tokens. {known}',
  'gate.looking': 'The older messages are looked through for what the model was sent of it…',
  'gate.took': 'done in {ms, span}',
  'gate.it-failed': 'it failed',
  'gate.holds': 'it holds {unseen}',
  'gate.note': 'Note to the model',
  'gate.note-hint': 'Optional. Goes along with the result.',

  'gate.how-much': 'How much to send',
  'gate.all': 'All',
  'gate.trim': 'Trim',
  'gate.selection': 'Selection',
  'gate.redact': 'Redact selection',
  'gate.edit': 'Edit',
  'gate.by-file': 'Replace by file reference',
  'gate.undo': 'Undo',
  'gate.done': 'Done',
  'gate.cancel': 'Cancel',
  'gate.path': 'The model gets the path {path} and can read the file in pages.',
  'gate.select-first': 'Select the part that may go out, then press Selection.',
  'gate.no-file': 'The result could not be kept as a file: {why}',

  'gate.result': 'Result',
  'gate.text': 'Result, as it will be sent',
  'gate.lines-left-out': '{count, plural, one {# line} other {# lines}} left out',
  'gate.characters-left-out': '… {count, plural, one {# character} other {# characters}} left out',
  'gate.show-all': 'show all {count, number} lines',
  'gate.goes-along': 'Goes along: {members, list}',
  'gate.change-too': 'change that too',

  'gate.send': 'Send result',
  'gate.keep': 'Don’t send',
  'gate.tokens': 'about {tokens, number} tokens',
  'gate.tokens-changed': 'about {tokens, number} tokens · {changes, list}',
  'gate.change.selection': 'a selection',
  'gate.change.trimmed': 'trimmed',
  'gate.change.redacted': '{marks, plural, =0 {} other {# }}redacted',
  'gate.change.edited': 'edited',
  'gate.change.file-reference': 'as a file reference',
  'gate.told': 'The model will be told that you changed this result, not what you took out.',

  'gate.why.imported': 'it came with the imported file',
  'gate.why.tool': 'you asked to see every result of {tool}',
  'gate.why.every': 'you asked to see every result',
  'gate.why.tool-failed': 'you asked to see results of {tool} that failed',
  'gate.why.failed': 'you asked to see results of calls that failed',
  'gate.why.large': 'you asked to see large results',

  'gate.before': '{said, sentences}',
  'gate.before.not-sent': 'This result was not sent to the model.',
  'gate.before.file':
    '{whole, select, true {All} other {The first {bytes, number} bytes}} of {path} went to it with a message.',
  'gate.before.picture': '{path} went with a message, for models that can see.',
  'gate.before.all':
    '{lines, plural, one {Its line stands} other {All # lines of it stand}} in this chat already, where the model was sent it.',
  'gate.before.some':
    '{counted, select, true {} other {At least }}{sent, number} of its {lines, number} lines {sent, plural, one {stands} other {stand}} in this chat already, where the model was sent it.',
  'gate.before.new': 'No line of it stands in what the model was sent before.',
} as const satisfies Catalogue)
