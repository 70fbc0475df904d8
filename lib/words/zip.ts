import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** What is said of zips, of what is left out of them, and of chats that come and go as one. */
const zipWords = {
  'zip.no-text-name': 'Its name is not valid text.',
  'zip.is-link': 'It is a link to another place, not a file.',
  'zip.folder-is-file': 'A file of the zip has the name of a folder that it needs.',
  'zip.file-of-same-name': 'A file of the zip has the same name.',
  'zip.twice': 'Another file of the zip has the same name; the first one counts.',
  'zip.folder-of-same-name': 'A folder of the zip has the same name.',
  'zip.backslash': 'Its name holds a backslash.',
  'zip.from-root': 'It wants a place outside of the folder: its path starts at the root.',
  'zip.drive': 'It wants a place outside of the folder: its path names a drive.',
  'zip.upwards': 'It wants a place outside of the folder: its path holds “..”.',
  'zip.no-name': 'It has no name.',
  'zip.member-locked': '{name} is locked with a password. Unpack the zip on your device first.',
  'zip.unknown-method': '{name} is packed in a way that can’t be read here (method {method}). Nothing was unpacked.',
  'zip.member-too-big':
    '{name} is larger than {most, bytes} when it is unpacked; a file here may not be. Nothing was unpacked.',
  'zip.no-room': 'Unpacked, this zip holds more than {most, bytes}; there is no room for it. Nothing was unpacked.',
  'zip.bomb': 'This zip of {packed, bytes} unpacks to more than {most, bytes}, as zip bombs do. Nothing was unpacked.',
  'zip.too-many': 'This zip holds more than {most, number} files or folders. Nothing was unpacked.',
  'zip.shared-bytes': 'Files in this zip share the same bytes, as in zip bombs. Nothing was unpacked.',
  'zip.split': 'This is one part of a zip that was split into several. Nothing was unpacked.',
  'zip.locked': 'This zip is locked with a password. Nothing was unpacked.',
  'zip.ambiguous': 'This zip says two different things about what it holds. Nothing was unpacked.',
  'zip.no-zip': 'This is not a zip file, or its end is missing. Nothing was unpacked.',
  'zip.damaged': 'This zip can’t be read: it is damaged. Nothing was unpacked.',
  'zip.damaged-at': '{name} can’t be unpacked: the zip is damaged there. Nothing was unpacked.',
  'zip.no-chat':
    'This file holds no chat that can be imported. Choose a chat exported from Nod (the zip, or the conversation.json in it), an export of ChatGPT or Claude, or a JSON export of LibreChat, Open WebUI or LobeHub.',
  'zip.left-out': '{name} was left out. {why}',
  'zip.not-exported': '{path} can’t be read, so nothing was exported. {why}',
  'zip.list-not-exported': 'The list of files can’t be read, so nothing was exported. {why}',
} as const satisfies Catalogue

export const zipSentence = sentencesOf(zipWords)
