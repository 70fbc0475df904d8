import { refusalsOf, sentencesOf, type Catalogue } from './catalogue'

const baseWords = {
  'base.part-missing':
    'A part of Nod could not be loaded, so this was not done. Check your connection, then try again.',
} satisfies Catalogue

/** Of a part of the page: “Settings: loading …”. */
export const partSentence = sentencesOf({ 'base.part-loading': '{what}: loading …' })

export const baseRefusal = refusalsOf(baseWords)
