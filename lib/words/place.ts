import { sentencesOf } from '@/lib/base/catalogue'

/** Of an address that shows no chat, and of a page that can run nothing. */
export const placeSentence = sentencesOf({
  'place.insecure':
    'Nod needs HTTPS or localhost: over plain http this browser has no locks and no sealed frames, so calls can be read but not run. Open this page by its https address, or on the machine itself as localhost.',
  'place.no-chat': 'There is no such chat',
  'place.no-chat-why':
    'It may have been deleted, or it belongs to another browser: chats are kept for the browser that made them.',
  'place.no-chat-new': 'Start a new one',
})
