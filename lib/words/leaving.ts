import { quotingSentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** What of a file goes along with its message, or went. */
export const leavingSentence = quotingSentencesOf({
  'leaving.files': 'Files of this message',
  'leaving.document':
    '{format} documents are not read: only the name and size {tense, select, did {went} other {go}} along',
  'leaving.name': 'only its name and size {tense, select, did {went} other {go}} along',
  /** It is stored with the message and shown again with every later one: to which models, that can change. */
  'leaving.picture': 'the picture goes to models that can see',
  'leaving.whole': 'all of it {tense, select, did {went} other {goes}} along',
  'leaving.first': 'its first {bytes, bytes} {tense, select, did {went} other {go}} along',
} as const satisfies Catalogue)
