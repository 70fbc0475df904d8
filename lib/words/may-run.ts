import { sentencesOf } from '@/lib/base/catalogue'

/** What is asked of a call and of its result, where the question stands apart from its card. */
export const maySentence = sentencesOf({
  'may.run': 'May {name} run?',
  'may.send': 'May the result of {name} be sent?',
})
