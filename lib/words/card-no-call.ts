import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** What is said of a call that can't be read or can't run, and of a text that only looks like one. */
export const noCallSentence = sentencesOf({
  'no-call.broken': 'Broken tool call',
  'no-call.nameless': 'a call',
  'no-call.cannot-be-read': 'can’t be read',
  /** Where no value was cut off, only what closes the call. */
  'no-call.end-missing':
    'The reply ended in the middle of this call. Its values are whole, but its end is missing, so this can’t run as it is.',
  'no-call.place': 'line {line}, column {column}',
  'no-call.asked-enough':
    'The model was asked {times, plural, one {once} =2 {twice} =3 {three times} other {# times}} to fix this and did not. Edit the call yourself, or choose another call format for this chat.',
  'no-call.ask': 'Ask the model to fix it',
  'no-call.leave': 'Leave it',
  'no-call.told': 'what the model {asks, select, true {will be} other {would be}} told',

  'no-call.repair': 'A repair',
  'no-call.repair-one':
    'Only markup is missing: {added}.{mayGoOn, select, true { It may have been going to say more.} other {}}',
  'no-call.repair-both':
    'Only markup is missing: {before} before and {after} after it.{mayGoOn, select, true { It may have been going to say more.} other {}}',
  'no-call.repair-diff': 'Before and after the repair',
  'no-call.use': 'Use this call',
  'no-call.use-then': 'It then waits for you like any other call.',

  'no-call.wrote': 'What the model wrote',
  'no-call.more-lines': '{count, plural, one {# more line} other {# more lines}}',
  'no-call.here': 'here',
  'no-call.ends-here': 'ends here',

  'no-call.other-format': 'other format',
  /** `now`: the chat still uses the strategy that the reply was read in. */
  'no-call.foreign':
    'The model wrote this call in {format} format, but this chat {now, select, true {uses {strategy}} other {used {strategy} then}}.',
  'no-call.native':
    'The model used its own tool calling, but this chat {now, select, true {uses {strategy}} other {used {strategy} then}}.',
  'no-call.review': 'You review it before it runs.',
  'no-call.arguments': 'Arguments',
  'no-call.more-arguments': '{count, plural, one {# more argument} other {# more arguments}}',
  'no-call.in-format': 'in {format} format',
  'no-call.lift': 'treat as a call',
  'no-call.raw': 'raw',
  'no-call.show-raw': 'Show what the model wrote',
  'no-call.hide-raw': 'Hide what the model wrote',
  'no-call.as-written': 'As the model wrote it',
  'no-call.switch': 'Switch to this call format',
  'no-call.switch-then':
    'From the next message on, the model is told to write calls as {to} instead of {from}, and they are read so. What stands here stays.',

  'no-call.switch-native': 'Switch to Native',
  'no-call.switch-native-then':
    'From the next message on, this chat uses the model’s own tool calling. Earlier messages stay as they are.',

  'no-call.change-lost': 'What you made of this call is damaged in the storage and can’t be read any more.',
  'no-call.cannot-run': 'It can’t run.',
  'no-call.being-written': 'The reply is still being written.',
  'no-call.waits-lost': 'The results of this reply wait until you change it again, undo your change or deny the call.',
  'no-call.waits-mend':
    'Your change does not fit yet. The results of this reply wait until you mend it, undo it or deny the call.',
  'no-call.told-can-try': 'The model was told, and can try again.',
  'no-call.untold': 'The model has not been told yet.',
  'no-call.told-together': 'The model is told together with the other results.',
  'no-call.tell': 'Tell the model',
} as const satisfies Catalogue)
