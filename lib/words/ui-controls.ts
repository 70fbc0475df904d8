import { sentencesOf } from '@/lib/base/catalogue'

/** What controls say that stand on many pages. */
export const controlSentence = sentencesOf({
  'control.copy': 'Copy',
  'control.copied': 'copied',
  'control.not-copied': 'not allowed',
  'control.back': 'Back to the chat',
})
