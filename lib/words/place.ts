import { sentencesOf } from '@/lib/base/catalogue'

/** Of an address that shows no chat, of a page that can run nothing, and of a browser that keeps nothing. */
export const placeSentence = sentencesOf({
  'place.insecure':
    'Nod needs HTTPS or localhost: over plain http this browser has no locks and no sealed frames, so calls can be read but not run. Open this page by its https address, or on the machine itself as localhost.',
  'place.no-cookies':
    'This browser blocks cookies and site data for {site}. Without a cookie Nod cannot tell which chats are yours, so nothing can be sent. Allow cookies for {site} in the site settings of the browser, then reload the page.',
  'place.no-storage':
    'This browser blocks site data for {site}. {what, select, words {Drafts and unsent messages are lost when this page closes.} files {Files in chats and models that you add cannot be saved.} other {Drafts and unsent messages are lost when this page closes; files in chats and models that you add cannot be saved.}} Allow site data for {site} in the site settings of the browser, then reload the page.',
  'place.no-chat': 'There is no such chat',
  'place.no-chat-why':
    'It may have been deleted, or it belongs to another browser: chats are kept for the browser that made them.',
  'place.no-chat-new': 'Start a new one',
})
