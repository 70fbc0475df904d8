import { sentencesOf } from '@/lib/base/catalogue'

/** What is said where Nod is an app of its own, and where its server can’t be reached. */
export const offlineSentence = sentencesOf({
  'offline.about': 'A chat in which any model can use tools, and nothing runs until you nod.',
  'offline.new-chat': 'New chat',
  'offline.playground': 'Playground',
  'offline.lab': 'Call format lab',
  'offline.chats': 'Chats',
  'offline.title': 'That page needs the server',
  'offline.why':
    'It can’t be reached just now. The chats that you opened last can be read, and the playground and the files of your chats work.',
})
