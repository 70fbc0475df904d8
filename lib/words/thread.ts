import { sentencesOf } from '@/lib/base/catalogue'

/** What stands around messages. */
export const threadSentence = sentencesOf({
  'thread.you-unsent': 'You, not sent yet',
  'thread.branch-before': 'Previous branch',
  'thread.branch': '{number} of {count}',
  'thread.branch-after': 'Next branch',
  'thread.imported':
    'This chat was imported from a file on {at, day}. Up to then it is what the file said: nothing proves that its messages were written, its calls run and its results given.',
  'thread.edited': 'Edited text',
  'thread.cancel': 'Cancel',
  'thread.send': 'Send',
  'thread.restore': 'Restore to here',
  'thread.part-restore': 'Restoring',
  'thread.edit': 'Edit',
  'thread.discard': 'Discard',
  'thread.try-now': 'Try now',
  'thread.try-again': 'Try again',
  'thread.retry': 'Retry',
  'thread.regenerate': 'Regenerate',
  'thread.choose-model': 'Choose another model',
  'thread.details': 'Details',
  'thread.loading': 'Loading the chat …',
  'thread.older': 'Older messages are loading…',
  'thread.older-failed': '{why} The older messages are not shown.',
  'thread.first-words': 'Waiting for the first words…',
  'thread.answered': 'The model’s server has answered. Waiting for the first words…',
  'thread.reading': 'Reading the first words…',
  'thread.reply-loading': 'Loading the reply…',
  'thread.writing': 'writing a call{tool, select, empty {} other { to {tool}}} … {size}',
  'thread.part-cards': 'The cards of this reply',
  'thread.skipped': '{count, plural, one {# call was skipped.} other {# calls were skipped.}}',
  'thread.interrupted':
    '{by, select, tab {The tab that wrote this was closed or offline.} other {The server went away while this was written.}} What had come is kept; nothing in it can run.',
  'thread.stopped': 'You stopped this reply. Nothing in it can run.',
  'thread.length':
    'This reply was cut off: it reached the greatest length that the model or Nod allows. Nothing in it can run.',
  'thread.empty':
    '{model} {lacks, select, answer {ended after thinking, without an answer} other {sent an empty reply}}.',
  'thread.unreadable':
    'This reply can’t be read any more: what is stored of it is damaged. The rest of the chat is as it was.',
  'thread.unreadable-part':
    'Words of this reply can’t be read any more: what is stored of it is damaged. What is left stands here; nothing in it can run.',
  'thread.unreadable-yours':
    'Your message can’t be read any more: what is stored of it is damaged. The rest of the chat is as it was.',
  'thread.no-failure': 'The model stopped answering. Nothing ran.',
  'thread.on-its-way': 'It is on its way at this moment, so it can’t be changed.',
  'thread.unsent.page':
    'It lives in this page alone (the browser’s storage is full or off): leave the page open until it is sent.',
  'thread.unsent.refused': 'Not sent. {why}',
  'thread.unsent.running': 'Not sent yet: a reply is being written. It sends by itself after that.',
  'thread.unsent.sending': 'Sending again …',
  'thread.unsent.why': 'Not sent yet. {why} Nod tries again by itself.',
  'thread.unsent.waiting':
    'Waiting for the server{online, select, true {} other {, which can’t be reached}}. It sends by itself.',
})
