import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'
import { formatBytes } from '@/lib/base/format-bytes'
import { numberWords, plural } from '@/lib/base/locale'

/** What is said of what a person does with files. */
const workspaceWords = {
  'workspace.name-missing': 'Give it a name.',
  'workspace.no-name': ({ name }: { readonly name: string }) => `${name} is not a name. Choose another one.`,
  'workspace.file-there': ({ path }: { readonly path: string }) =>
    `There is already a file at ${path}. Choose another name.`,
  'workspace.folder-there': ({ path }: { readonly path: string }) =>
    `There is already a folder at ${path}. Choose another name.`,
  'workspace.is-file': ({ path }: { readonly path: string }) => `${path} is a file, not a folder.`,
  'workspace.move-no-folder': ({ folder }: { readonly folder: string }) =>
    `There is no folder at ${folder}. Nothing was moved.`,
  'workspace.move-into-itself': ({ path }: { readonly path: string }) =>
    `${path} can’t be moved into itself. Nothing was moved.`,
  'workspace.move-taken': ({ folder, name }: { readonly folder: string; readonly name: string }) =>
    `${folder} already holds something called ${name}. Nothing was moved.`,

  'workspace.upload-too-big': (values: { readonly path: string; readonly size: number; readonly most: number }) =>
    `${values.path} is too big: it has ${formatBytes(values.size)}, and one file may hold ${formatBytes(values.most)}. Nothing was uploaded.`,
  'workspace.upload-no-room': (values: {
    readonly files: number
    readonly total: number
    readonly largest: string
    readonly used: number
    readonly most: number
  }) => {
    const { files, largest } = values
    const total = formatBytes(values.total)
    const what = plural(files, {
      one: `${largest} of ${total}`,
      other: `${numberWords(files)} files of ${total}, the largest is ${largest}`,
    })
    return `There is no room for ${what}: this chat’s files use ${formatBytes(values.used)} of ${formatBytes(values.most)}. Nothing was uploaded.`
  },
  'workspace.upload-too-many': (values: { readonly files: number; readonly held: number; readonly most: number }) =>
    `There is no room for ${numberWords(values.files)} more files: this chat holds ${numberWords(values.held)} files, and ${numberWords(values.most)} is the most it can hold. Nothing was uploaded.`,

  'workspace.not-restored-now': 'Nothing was restored: a reply is being written, or a message is on its way.',
  'workspace.restored-in-part': ({ why }: { readonly why: string }) =>
    `The chat went back, but not all of its files did. ${why}`,
  'workspace.not-restored': ({ why }: { readonly why: string }) => `Nothing was restored. ${why}`,
} satisfies Catalogue

export const workspaceSentence = sentencesOf(workspaceWords)
