import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** What the card of a call says once the call ran, failed, was stopped or left out. */
export const settledSentence = sentencesOf({
  'settled.told': 'The model was told so.',
  'settled.told-can-try': 'The model was told, and can try again.',
  'settled.told-then': 'The model was told what was known of it then.',
  'settled.untold': 'The model has not been told yet.',
  'settled.wrote-on.late':
    'You wrote on before this had come back, and the model was told so; with a later message it was told how it ended.',
  'settled.wrote-on.ended':
    'You wrote on before this had come back, and the model was told so. Your next message tells it how it ended.',
  'settled.wrote-on.open': 'You wrote on before this had come back, and the model was told so. It knows no more of it.',

  'settled.failed': 'The run failed: {error}',
  'settled.more': 'more',
  'settled.less': 'less',

  'settled.kept':
    'It ran. {by, select, click {You kept the result} overtaken {You wrote something else instead of sending the result} imported {Its result came with the imported chat and stays here} other {What was said about its result can no longer be read, so it stays here}}; the model {posted, select, true {was} other {will be}} told so.',
  'settled.kept-told': 'It ran, and its result stays here. {told}',
  'settled.send-after-all': 'Send after all',
  'settled.note': 'your note to the model: “{note}”',
  'settled.changed':
    'You changed this result: {changes, list}. {posted, select, true {The model was told that it was changed, not what you took out.} other {The model has not been told yet.}}',
  'settled.change.trimmed': 'trimmed',
  'settled.change.redacted': 'redacted',
  'settled.change.edited': 'edited',
  'settled.change.file-reference': 'replaced by a file reference',

  'settled.skipped.wrote-on': 'You wrote something else, so this did not run.',
  'settled.skipped.unreadable': 'What was decided here can no longer be read, so this does not run.',
  'settled.skipped.left-out': 'You left this out, so it did not run.',
  /** The model is told the same in `lib/calls/chain-limits.ts`. */
  'settled.skipped.limit':
    'This call did not run: {limit, plural, one {one call} other {# calls}} of one reply may run in this chat.',
  'settled.show-call': 'show the call',
  'settled.hide-call': 'hide the call',

  'settled.ran.auto': 'ran by itself: you allowed {tool} to run alone in this chat',
  'settled.ran.grant': 'ran by itself: you allowed {what} here',
  'settled.ran.click': 'you pressed Run, and allowed {what, and} in later replies',
  'settled.taken-back': '{what} (taken back since)',

  'settled.interrupted': 'The page was closed or reloaded while this ran. It will not run again by itself.',
  'settled.stopped': 'You stopped this while it ran.',
  'settled.stopped-before': 'You stopped this before it began. Nothing ran.',
  'settled.cancelled': 'You stopped a call before this one, so this was cancelled. Nothing of it ran.',
  'settled.files.may': 'It may have changed files before it stopped.',
  'settled.files.not-kept': 'None of its changes to files were kept.',
  'settled.files.none': 'It changed no files.',
  'settled.run-again': 'Run again',
  'settled.run-after-all': 'Run after all',
  'settled.tell': 'Tell the model',
  'settled.try-again': 'Try again',
  'settled.part-undo': 'Undo',

  'settled.parts': 'Parts of the call',
  'settled.tab.change': 'Change',
  'settled.tab.sent': 'Sent',
  'settled.tab.result': 'Result',
  'settled.tab.console': 'Console',
  'settled.tab.files': 'Files',
  'settled.tab.call': 'Call',
  'settled.tab.raw': 'Raw',
  'settled.as-written': 'As the model wrote it',
  'settled.open': 'open in workspace',
  'settled.part-change': 'The change',
  'settled.loading-change': 'Loading the change …',
} as const satisfies Catalogue)
