import { refusalsOf, type Catalogue } from './catalogue'

const baseWords = {
  'base.part-missing':
    'A part of Nod could not be loaded, so this was not done. Check your connection, then try again.',
} satisfies Catalogue

export const baseRefusal = refusalsOf(baseWords)
