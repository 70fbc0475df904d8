import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** What stands around the files of a chat: the head and the foot of the workspace, and how the files live. */
export const panelSentence = sentencesOf({
  'files-panel.label': 'Workspace',
  'files-panel.width': 'Width of the workspace',
  'files-panel.width-rem': '{rem, number} rem',
  'files-panel.unreadable': 'The files can’t be read. {why}',
  'files-panel.again': 'Try again',

  'files-panel.new-file': 'New file',
  'files-panel.new-folder': 'New folder',
  'files-panel.new': 'New',
  'files-panel.upload': 'Upload',
  'files-panel.upload-files': 'Upload files',
  'files-panel.upload-folder': 'Upload a folder',
  'files-panel.unpack-zip': 'Unpack a zip',
  'files-panel.download-zip': 'Download as zip',
  'files-panel.more': 'More',
  'files-panel.more-label': 'More for the workspace',
  'files-panel.hide-own': 'Hide Nod’s own files',
  'files-panel.show-own': 'Show Nod’s own files',
  'files-panel.close': 'Close workspace',
  'files-panel.pick-files': 'Files to upload',
  'files-panel.pick-folder': 'Folder to upload',
  'files-panel.pick-zip': 'Zip to unpack',

  'files-panel.empty': 'No files yet',
  'files-panel.empty-about':
    'Drop files or folders here, paste them, or ask the model to write one. Each chat has files of its own; a call changes them only when you press Run.',
  'files-panel.pick-first': 'First files to upload',

  'files-panel.place': '{files, plural, one {# file} other {# files}} of this chat in {browser}',
  /** `places`: as the sentence before says each. */
  'files-panel.elsewhere':
    'Files stay in the browser that made them. There are also {places}. To have them here, open the chat there and download its files as a zip, then import the zip here.',
  'files-panel.place-and': '{before}, and {place}',

  'files-panel.used': '{used, bytes} of {limit, bytes}',
  'files-panel.where': 'Where these files live',
  'files-panel.room': 'Room that these files take',
  'files-panel.history': 'history {used, bytes}',
  'files-panel.forget-link': 'forget older changes',
  'files-panel.forget-ask': 'Forget older changes?',
  'files-panel.forget-about':
    'The files stay as they are. All {changes, number} changes in the list can then no longer be undone, and {used, bytes} become free.',
  'files-panel.forget': 'Forget',
  'files-panel.cancel': 'Cancel',

  'files-panel.only-here':
    'These files live in this browser only. Another browser or device does not see them, and clearing this site’s data deletes them.',
  'files-panel.download-link': 'download them as a zip',
  'files-panel.room-unknown': 'This browser does not say how much room it has.',
  'files-panel.room-of': 'All chats of this browser use {used, bytes}; it has room for {quota, bytes}.',
  'files-panel.kept': 'The browser keeps them: it does not clear them by itself when the disk runs full.',
  'files-panel.may-clear':
    'When the disk runs full, the browser may clear them without asking, unless it was asked to keep them.',
  'files-panel.ask-keep': 'Ask the browser to keep these files',
  'files-panel.agreed': 'The browser agreed: it keeps these files until you delete them.',
  'files-panel.not-agreed':
    'The browser did not agree this time. It decides by itself, mostly by how often you use a page or whether you bookmarked or installed it. Until then, download what matters.',
} as const satisfies Catalogue)
