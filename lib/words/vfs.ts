import { refusalsOf, type Catalogue } from '@/lib/base/catalogue'
import { formatBytes } from '@/lib/base/format-bytes'

const because = (details: string): string => (details === '' ? '' : ` (${details})`)
/** What the files of a chat refuse; paths and names come as they may be shown. Models read the same sentences, in English. */
const vfsWords = {
  'vfs.no-file': ({ path }: { readonly path: string }) => `There is no file at ${path}.`,
  'vfs.no-folder': ({ path }: { readonly path: string }) => `There is no folder at ${path}.`,
  'vfs.nothing': ({ path }: { readonly path: string }) => `There is nothing at ${path}.`,
  'vfs.is-folder': ({ path }: { readonly path: string }) => `${path} is a folder, not a file.`,
  'vfs.is-file': ({ path }: { readonly path: string }) => `${path} is a file, not a folder.`,
  'vfs.is-link': ({ path }: { readonly path: string }) => `${path} is a link. Links are not followed.`,
  'vfs.exists': ({ path }: { readonly path: string }) => `There is already a file at ${path}.`,
  'vfs.folder-exists': ({ path }: { readonly path: string }) => `There is already a folder at ${path}.`,
  'vfs.not-empty': ({ path }: { readonly path: string }) => `The folder ${path} is not empty.`,
  'vfs.root-stays': 'The root folder can’t be removed.',
  'vfs.root-not-moved': 'The root folder can’t be moved.',
  'vfs.no-room-to-move':
    'There is no room for what would come back. Nothing was changed. Delete files, then try again.',
  'vfs.into-itself': ({ path }: { readonly path: string }) => `${path} can’t be moved into itself.`,
  'vfs.file-too-big': ({ size, most }: { readonly size: number; readonly most: number }) =>
    `There is no room for ${formatBytes(size)}: a file may hold ${formatBytes(most)}. Nothing was written.`,
  'vfs.full': ({ size, used, most }: { readonly size: number; readonly used: number; readonly most: number }) =>
    `There is no room for ${formatBytes(size)}: this chat’s files use ${formatBytes(used)} of ${formatBytes(most)}. Nothing was written.`,
  'vfs.too-many-files': ({ files, most }: { readonly files: number; readonly most: number }) =>
    `There is no room for another file: this chat holds ${files} files, and ${most} is the most it can hold. Nothing was written.`,
  'vfs.changed-meanwhile': ({ path }: { readonly path: string }) =>
    `${path} was changed meanwhile by something else. Nothing was written over it.`,
  'vfs.read-only': 'The files can only be read here. Nothing was changed.',
  'vfs.no-access': 'The files can’t be reached from here.',

  'vfs.browser-full':
    'The browser has no room left for this chat’s files. Nothing was changed. Delete files or old chats, or free space on this device, then try again.',
  'vfs.browser-refused': ({ details }: { readonly details: string }) =>
    `The browser refused to store this chat’s files${because(details)}. Allow site data for this page, or leave private browsing, then reload.`,
  'vfs.unreachable': ({ details }: { readonly details: string }) =>
    `This chat’s files could not be reached${because(details)}. Reload the page and try again.`,
  'vfs.unreachable-here': ({ details }: { readonly details: string }) =>
    `The files could not be reached${because(details)}.`,
  'vfs.stopped': ({ details }: { readonly details: string }) =>
    `The part of Nod that keeps this chat’s files stopped${because(details)}. Try again; if that fails, reload the page.`,
  'vfs.closed': 'This chat’s files were closed.',
  'vfs.unreadable': 'The files of this chat can’t be read in this browser.',
} satisfies Catalogue

export const vfsRefusal = refusalsOf(vfsWords)
