import { sentencesOf } from '@/lib/base/catalogue'

/** Where a chat gets another title. */
export const titleSentence = sentencesOf({
  'title.field': 'Title',
  'title.suggestions': 'Titles from what this chat says',
})
