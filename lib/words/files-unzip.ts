import { quotingSentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** What is asked before a zip is unpacked. */
export const unzipSentence = quotingSentencesOf({
  'files-unzip.part': 'Unpacking a zip',
  'files-unzip.label': 'Import {name}',
  'files-unzip.ask': 'Unpack {name}?',
  'files-unzip.would-come': '{files, plural, one {# file} other {# files}}, {size, bytes}, would come into {folder}.',
  'files-unzip.taken': '{count, plural, one {{name} is} other {# names are}} taken in {folder}.',
  'files-unzip.on-clash': 'What to do with names that are taken',
  'files-unzip.keep-both': 'Keep both',
  'files-unzip.replace': 'Replace',
  'files-unzip.files': 'Files in the zip',
  'files-unzip.and-more': 'and {count, number} more',
  'files-unzip.left-out': '{count, plural, one {# entry is} other {# entries are}} left out:',
  'files-unzip.left-out-label': 'Left out',
  'files-unzip.cancel': 'Cancel',
  'files-unzip.keep': 'Keep as a file',
  'files-unzip.do': 'Unpack here',
  'files-unzip.unreadable': 'This zip could not be read. Check your connection, and try it again.',
} as const satisfies Catalogue)
