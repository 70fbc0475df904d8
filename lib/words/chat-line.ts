import { quotingSentencesOf } from '@/lib/base/catalogue'

/** What a line of the list of chats says: who has no chat yet needs none of it. */
export const lineSentence = quotingSentencesOf({
  'line.pinned': 'Pinned',
  'line.archived': 'archived',
  'line.more': 'More for {title}',
  'line.rename': 'Rename {title}',
  'line.delete': 'Delete {title}',
  'line.today': 'Today',
  'line.week': 'Last week',
  'line.before': 'Older',
  'line.queued': 'in the queue',
  'line.writing': 'writing',
  /** Of a reply that somebody brings from another chat, in place of "writing". */
  'line.paste-waits': 'waits for a paste',
})
