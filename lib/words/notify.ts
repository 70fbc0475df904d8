import { sentencesOf } from '@/lib/base/catalogue'

export const notifySentence = sentencesOf({
  'notify.ask': 'This takes a while. Should your system tell you when a long reply is done and you look elsewhere?',
  'notify.yes': 'Tell me',
  'notify.no': 'No',
  'notify.title': 'Nod',
  'notify.setting': 'Tell me when a long reply is done',
  'notify.about':
    'By your system, while you look at another page. It names the chat and how the reply ended, never its words.',
  'notify.blocked': 'This browser does not let Nod notify you. Its settings for this site can.',
  'notify.heading': 'Notifications',
})
