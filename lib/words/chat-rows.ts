import { quotingSentencesOf } from '@/lib/base/catalogue'

/** What the list of chats says from the first moment on; what comes later stands in `chat-list.ts`. */
export const rowSentence = quotingSentencesOf({
  'rows.commands': 'Commands',
  'rows.shortcuts': 'Keyboard shortcuts',
  'rows.loading': 'Loading your chats …',
  'rows.organise': 'Organise chats',
  'rows.part-search': 'The search in messages',
  'rows.part-organise': 'The list to organise chats',
  'rows.part-long': 'The long list of chats',
  'rows.part-menu': 'The menu of a chat',
  'rows.label': 'Conversations',
  'rows.search': 'Search',
  'rows.search-name': 'Search conversations',
  'rows.none': 'Your chats will be here.',
  'rows.none-found': 'No chat is called “{query}”.',
  'rows.playground': 'Playground',
  'rows.lab': 'Call format lab',
  'rows.import': 'Import a chat',
  'rows.account': 'Account',
  'rows.part-import': 'Importing a chat',
  'rows.part-title': 'The field for the title',
})
