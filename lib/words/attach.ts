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

  'attach.label': 'Attach files',
  'attach.pick': 'Files to attach',
  'attach.drop': 'Drop files to attach them',
  'attach.blind': '{model} can’t see images. It is told the name and size.',
  'attach.dismiss': 'Dismiss',
  'attach.list': 'Attached files',
  'attach.remove': 'Remove {name}',
  'attach.unseen': '{name} holds {words}. A model reads them too.',
  'attach.text-of': 'Text of {name} that goes along',
  'attach.read-as': 'read as {encoding}',
  'attach.goes-of': 'What goes along of {name}',
  /** The sentence before it says what goes along. */
  'attach.dont': 'don’t',
  'attach.dont-of': 'don’t send the content of {name}',
  'attach.offer.picture': 'send the picture',
  'attach.offer.all': 'send all of it',
  'attach.offer.first': 'send its first {bytes, bytes}',
  'attach.offer-of': '{offer}: {name}',
  'attach.attaching': 'Attaching …',
  'attach.attaching-of': 'Attaching {number, number} of {count, number} …',
  'attach.reading': 'Reading the files …',
  'attach.empty': 'There was no file in it. Nothing was attached.',
  'attach.not-here': 'The files of this chat can’t be reached in this browser, so nothing was attached.',
  'attach.not-here-sent': 'The files of this chat can’t be reached in this browser, so nothing was sent.',
} as const satisfies Catalogue

export const attachSentence = sentencesOf(attachWords)
