import { sentencesOf } from '@/lib/base/catalogue'

/** Pages that stand for themselves, and what a window is called by. */
export const pageSentence = sentencesOf({
  'page.title': '{name} · Nod',
  'page.playground': 'Playground',
  'page.lab': 'Call format lab',
  'page.signed-in': 'Signed in',
  'page.account': 'Account',

  'page.not-found': 'Not found',
  'page.not-found-why': 'There is no such page',
  'page.to-chats': 'Go to your chats',

  'page.access': 'Access',
  'page.access-head': 'This server is not open to everybody',
  'page.access-why': 'Ask whoever runs it for the access token. It is wanted once in this browser.',
  'page.access-token': 'Access token',
  'page.access-wrong': 'This is not the token of this server. Look for a missing letter, or ask whoever runs it.',
  'page.access-wait': 'Too many wrong tokens were tried. Wait a minute, then try again.',
  'page.access-do': 'Go in',

  'page.licences': 'Licences',
  'page.licences-back': 'Back to the chat',
  'page.licences-none': 'The notices are made with a build, and this server runs without one.',
  'page.licences-about':
    'Nod {version} comes with {count} packages of others. Those are all that this server hands to your browser: for its pages, their workers and the sandbox.',
  'page.licences-facts': '{version} · {licence}',
  'page.licences-served': 'Served in {files, list}.',
})
