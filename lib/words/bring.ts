import { quotingSentencesOf } from '@/lib/base/catalogue'

/** Taking in the chats of other products. */
export const bringSentence = quotingSentencesOf({
  'bring.part': 'Importing from other products',
  'bring.offer':
    'You can also choose an export of ChatGPT or Claude (the zip or its conversations.json), or a JSON export of LibreChat, Open WebUI or LobeHub. It is read in this browser, and you choose which chats to import.',
  'bring.reading': 'Reading the file: {chats, plural, =0 {no chat yet} one {# chat so far} other {# chats so far}} …',
  'bring.progress': 'How far the file is read',
  'bring.checking': 'Looking which of them you have already …',
  'bring.found':
    '{count, plural, one {# chat} other {# chats}} of {source, select, chatgpt {ChatGPT} claude {Claude} librechat {LibreChat} openwebui {Open WebUI} messages {another program} other {several programs}}, from {from, day} to {to, day}.',
  'bring.known':
    '{count, plural, one {# of them is here already, and is} other {# of them are here already, and are}} left out.',
  'bring.cut-off': 'The file ends in the middle of a chat: what stood behind it is not in it.',
  'bring.as-text':
    'Words come in, and thoughts folded. Calls and results of their tools come as text: nothing in them runs here. Pictures are only named.',
  'bring.all': 'All ({count, number})',
  'bring.none': 'None',
  'bring.list': 'Chats, to be chosen',
  'bring.more': 'Show more ({rest, number})',
  'bring.untitled': 'Without a title',
  'bring.line': '{count, plural, one {# message} other {# messages}} · {at, day}',
  'bring.here': 'here already',
  'bring.import': 'Import {count, plural, one {# chat} other {# chats}}',
  'bring.nothing-chosen': 'Choose chats',
  'bring.cancel': 'Cancel',
  'bring.stop': 'Stop',
  'bring.close': 'Close',
  'bring.again': 'Choose another file',
  'bring.taking': 'Importing chat {done, number} of {of, number} …',
  'bring.waiting': 'The server asks to wait {seconds, wait}; the import goes on by itself.',
  'bring.took': '{count, plural, =0 {No chat was} one {# chat was} other {# chats were}} imported.',
  'bring.stopped':
    'You stopped it: {count, plural, one {# chat was} other {# chats were}} not imported. Chosen again, those that came in are left out.',
  'bring.ended': 'It ended early: {why} {count, plural, one {# chat is} other {# chats are}} missing.',
  'bring.broken': '{count, plural, one {# chat} other {# chats}} could not be imported:',
  'bring.broken-line': '{title}: {why}',
  'bring.broken-more': 'and {count, number} more',
  'bring.number': 'Chat {number, number} of the file',
  'bring.why.too-large': 'larger than 50 MB.',
  'bring.why.too-deep': 'nested too deep.',
  'bring.why.no-json': 'damaged, its text is no JSON.',
  'bring.why.unknown-form': 'in a form that is not known.',
  'bring.why.no-words': 'nobody said anything in it.',
  'bring.failed.no-chats':
    'There are no chats in this file that can be read. Choose a zip of Nod, ChatGPT or Claude, a conversations.json, a JSON export of LibreChat, Open WebUI or LobeHub, or a JSON file with a list of messages.',
  'bring.failed.unreadable':
    'This file could not be read: it is damaged, locked, or changed while it was read. Nothing was imported.',
})
