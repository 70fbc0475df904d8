import { refusalsOf, type Catalogue } from '@/lib/base/catalogue'

/** What the files of a chat refuse; paths and names come as they may be shown. Models read the same sentences, in English. */
const vfsWords = {
  'vfs.no-file': 'There is no file at {path}.',
  'vfs.no-folder': 'There is no folder at {path}.',
  'vfs.nothing': 'There is nothing at {path}.',
  'vfs.is-folder': '{path} is a folder, not a file.',
  'vfs.is-file': '{path} is a file, not a folder.',
  'vfs.is-link': '{path} is a link. Links are not followed.',
  'vfs.exists': 'There is already a file at {path}.',
  'vfs.folder-exists': 'There is already a folder at {path}.',
  'vfs.not-empty': 'The folder {path} is not empty.',
  'vfs.root-stays': 'The root folder can’t be removed.',
  'vfs.root-not-moved': 'The root folder can’t be moved.',
  'vfs.no-room-to-move':
    'There is no room for what would come back. Nothing was changed. Delete files, then try again.',
  'vfs.into-itself': '{path} can’t be moved into itself.',
  'vfs.file-too-big': 'There is no room for {size, bytes}: a file may hold {most, bytes}. Nothing was written.',
  'vfs.full':
    'There is no room for {size, bytes}: this chat’s files use {used, bytes} of {most, bytes}. Nothing was written.',
  'vfs.too-many-files':
    'There is no room for another file: this chat holds {files} files, and {most} is the most it can hold. Nothing was written.',
  'vfs.changed-meanwhile': '{path} was changed meanwhile by something else. Nothing was written over it.',
  'vfs.read-only': 'The files can only be read here. Nothing was changed.',
  'vfs.no-access': 'The files can’t be reached from here.',

  'vfs.browser-full':
    'The browser has no room left for this chat’s files. Nothing was changed. Delete files or old chats, or free space on this device, then try again.',
  'vfs.browser-refused':
    'The browser refused to store this chat’s files{details, select, empty {} other { ({details})}}. Allow site data for this page, or leave private browsing, then reload.',
  'vfs.earlier-version':
    'This chat’s files were stored by an early version of Nod that this version cannot read. They are still in this browser, unchanged. Open the chat once with the earlier version and download them, or begin a new chat.',
  'vfs.unreachable':
    'This chat’s files could not be reached{details, select, empty {} other { ({details})}}. Reload the page and try again.',
  'vfs.unreachable-here': 'The files could not be reached{details, select, empty {} other { ({details})}}.',
  'vfs.stopped':
    'The part of Nod that keeps this chat’s files stopped{details, select, empty {} other { ({details})}}. Try again; if that fails, reload the page.',
  'vfs.closed': 'This chat’s files were closed.',
  'vfs.unreadable': 'The files of this chat can’t be read in this browser.',
} as const satisfies Catalogue

export const vfsRefusal = refusalsOf(vfsWords)
