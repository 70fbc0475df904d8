import { sentencesOf } from '@/lib/base/catalogue'

/** What the list of chats says from the first moment on; what comes later stands in `chat-list.ts`. */
export const rowSentence = sentencesOf({
  'rows.pinned': 'Pinned',
  'rows.archived': 'archived',
  'rows.commands': 'Commands',
  'rows.shortcuts': 'Keyboard shortcuts',
  'rows.loading': 'Loading your chats …',
  'rows.older': 'Older chats',
  'rows.older-failed': 'They could not be loaded. Try again',
  'rows.organise': 'Organise chats',
  'rows.part-search': 'The search in messages',
  'rows.part-organise': 'The list to organise chats',
  'rows.part-long': 'The long list of chats',
  'rows.part-menu': 'The menu of a chat',
  'rows.part-undo': 'The way back for deleted chats',
  'rows.more': 'More for {title}',
})
