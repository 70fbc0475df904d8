import { sentencesOf } from '@/lib/base/catalogue'

/** What became of a message on its way to the server. */
export const deliverySentence = sentencesOf({
  'delivery.no-cookies':
    'This browser blocks cookies for this site. Allow them in the site settings of the browser, then try again.',
  'delivery.went-on': 'This chat had gone on in the meantime: your message stands after what came in between.',
  'delivery.had-arrived':
    'What you wrote first had arrived after all and stands in the chat. Send this as well, change it, or discard it.',
  'delivery.chat-deleted':
    'A chat was deleted elsewhere before your message to it was sent. Your words are in the field of a new chat.',
})
