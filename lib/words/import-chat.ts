import { quotingSentencesOf } from '@/lib/base/catalogue'

/** Taking an exported chat back in. */
export const importSentence = quotingSentencesOf({
  'import.title': 'Import a chat',
  'import.choose':
    'Choose a zip that was exported from Nod, or the conversation.json in it. It becomes a new chat of yours.',
  'import.waits': 'Calls in it wait for your click, and results that no model has seen wait for your look.',
  'import.file': 'Exported chat',
  'import.choose-do': 'Choose a file',
  'import.do': 'Import',
  'import.cancel': 'Cancel',
  'import.again': 'Try again',
  'import.close': 'Close',
  'import.reading': 'Reading the file …',
  'import.reading-so-far': 'Reading the file, {count, number} in it so far …',
  'import.importing': 'Importing the chat …',
  'import.writing': 'Writing its files …',
  'import.nothing': 'Nothing was imported.',
  'import.no-files': 'The files of this chat can’t be reached in this browser.',
  'import.without-files': 'The chat was imported, its files were not. {why}',
  'import.left-out': 'The chat was imported. Some of its files were left out:',

  'import.untitled': 'A chat without a title',
  /** After its title. */
  'import.content':
    ': {messages, plural, one {# message} other {# messages}}, {files, plural, =0 {no files} one {# file ({bytes, bytes})} other {# files ({bytes, bytes})}}.',
  'import.behind':
    'Calls in it wait for your click, and results that no model has seen wait for your look. What you had allowed there and the list of changes to its files stay behind: what was done to them before can’t be undone here.',
  'import.settings': 'It also brings settings. What you don’t tick stays as in a new chat of yours.',

  'import.part.system-prompt': 'Its system prompt',
  'import.part.model': 'Its model',
  'import.part.tools': 'Its choice of tools',
  'import.part.limits': 'Its limits',
  'import.characters': '{count, number} characters, sent with every message',
  'import.tools': 'tools are {on, select, true {on} other {off}}',
  'import.other-tools': 'every tool that is not named is {on, select, true {on} other {off}}',
  'import.tool': '{tool} is {on, select, true {on} other {off}}',
  'import.beside': '{there}, here: {here}',
  'import.rounds': '{count, plural, one {# round} other {# rounds}} of tools without a word from you',
  'import.calls': '{count, plural, one {# call} other {# calls}} of one reply may run',
  'import.time': 'a call may run for {ms, span}',
  'import.parallel': 'calls run {on, select, true {side by side} other {one after the other}}',
  'import.gate':
    '{gate, select, always {every result waits for your look} large_or_failed {large and failed results wait for your look} other {results go to the model without a look}}',
  'import.code': 'changes that code makes are {fate, select, ask {asked about} other {kept at once}}',
  'import.asks': 'it asks in {where, select, dialog {a dialog} other {the cards}}',
})
