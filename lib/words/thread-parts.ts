import { sentencesOf } from '@/lib/base/catalogue'

/** Parts in and around messages, as a sentence names one that is missing. */
export const threadPartSentence = sentencesOf({
  'thread-part.message': 'The view of this message',
  'thread-part.trimmed': 'A note on what was sent',
  'thread-part.exact': 'A note on its form',
  'thread-part.lost': 'A note on what was lost',
  'thread-part.queue': 'The place in the queue',
  'thread-part.paste': 'Copy and paste',
  'thread-part.save': 'Saving',
  'thread-part.compaction': 'Compaction',
  'thread-part.on-paper':
    'Only what was in view of this chat is printed here. Ctrl+P or ⌘P in the chat, or “Print this chat” in its commands, prints all of it.',
})
