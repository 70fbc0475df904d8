import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** What is said of files that come with a message. */
const attachWords = {
  'attach.too-big': '{path} was not attached: it has {size, bytes}, and one file may hold {most, bytes}.',
  'attach.unreadable': '{path} can’t be read, so it was not attached.',
  'attach.refused': '{path} was not attached. {why}',
  'attach.folder-refused': '{folder} ({files} files) was not attached. {why}',
  'attach.without-marks': '{path} was attached without characters of its name that don’t show.',
  'attach.too-many':
    '{left, plural, one {{first} was} other {# of them were}} not attached: a message takes {most} files. What lies in the workspace can be read without being attached.',
  'attach.gone':
    '{name} is not in this chat’s files any more, so nothing was sent. Remove it here, or attach it again.',
  'attach.unreadable-now': '{name} can’t be read, so nothing was sent. Remove it here, or attach it again.',
} as const satisfies Catalogue

export const attachSentence = sentencesOf(attachWords)
