import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'
import { formatBytes } from '@/lib/base/format-bytes'
import { numberWords } from '@/lib/base/locale'

const nothing = 'Nothing was unpacked.'
const outside = 'It wants a place outside of the folder:'

/** What is said of zips, of what is left out of them, and of chats that come and go as one. */
const zipWords = {
  'zip.no-text-name': 'Its name is not valid text.',
  'zip.is-link': 'It is a link to another place, not a file.',
  'zip.folder-is-file': 'A file of the zip has the name of a folder that it needs.',
  'zip.file-of-same-name': 'A file of the zip has the same name.',
  'zip.twice': 'Another file of the zip has the same name; the first one counts.',
  'zip.folder-of-same-name': 'A folder of the zip has the same name.',
  'zip.backslash': 'Its name holds a backslash.',
  'zip.from-root': `${outside} its path starts at the root.`,
  'zip.drive': `${outside} its path names a drive.`,
  'zip.upwards': `${outside} its path holds “..”.`,
  'zip.no-name': 'It has no name.',
  'zip.member-locked': ({ name }: { readonly name: string }) =>
    `${name} is locked with a password. Unpack the zip on your device first.`,
  'zip.unknown-method': ({ name, method }: { readonly name: string; readonly method: number }) =>
    `${name} is packed in a way that can’t be read here (method ${method}). ${nothing}`,
  'zip.member-too-big': ({ name, most }: { readonly name: string; readonly most: number }) =>
    `${name} is larger than ${formatBytes(most)} when it is unpacked; a file here may not be. ${nothing}`,
  'zip.no-room': ({ most }: { readonly most: number }) =>
    `Unpacked, this zip holds more than ${formatBytes(most)}; there is no room for it. ${nothing}`,
  'zip.bomb': ({ packed, most }: { readonly packed: number; readonly most: number }) =>
    `This zip of ${formatBytes(packed)} unpacks to more than ${formatBytes(most)}, as zip bombs do. ${nothing}`,
  'zip.too-many': ({ most }: { readonly most: number }) =>
    `This zip holds more than ${numberWords(most)} files or folders. ${nothing}`,
  'zip.shared-bytes': `Files in this zip share the same bytes, as in zip bombs. ${nothing}`,
  'zip.split': `This is one part of a zip that was split into several. ${nothing}`,
  'zip.locked': `This zip is locked with a password. ${nothing}`,
  'zip.ambiguous': `This zip says two different things about what it holds. ${nothing}`,
  'zip.no-zip': `This is not a zip file, or its end is missing. ${nothing}`,
  'zip.damaged': `This zip can’t be read: it is damaged. ${nothing}`,
  'zip.damaged-at': ({ name }: { readonly name: string }) =>
    `${name} can’t be unpacked: the zip is damaged there. ${nothing}`,
  'zip.no-chat':
    'This is no chat that was exported from Nod. Choose the zip, or the conversation.json that lies in it.',
  'zip.left-out': ({ name, why }: { readonly name: string; readonly why: string }) => `${name} was left out. ${why}`,
  'zip.not-exported': ({ path, why }: { readonly path: string; readonly why: string }) =>
    `${path} can’t be read, so nothing was exported. ${why}`,
  'zip.list-not-exported': ({ why }: { readonly why: string }) =>
    `The list of files can’t be read, so nothing was exported. ${why}`,
} satisfies Catalogue

export const zipSentence = sentencesOf(zipWords)
