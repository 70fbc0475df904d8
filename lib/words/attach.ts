import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'
import { formatBytes } from '@/lib/base/format-bytes'
import { plural } from '@/lib/base/locale'

/** What is said of files that come with a message. */
const attachWords = {
  'attach.too-big': (values: { readonly path: string; readonly size: number; readonly most: number }) =>
    `${values.path} was not attached: it has ${formatBytes(values.size)}, and one file may hold ${formatBytes(values.most)}.`,
  'attach.unreadable': ({ path }: { readonly path: string }) => `${path} can’t be read, so it was not attached.`,
  'attach.refused': ({ path, why }: { readonly path: string; readonly why: string }) =>
    `${path} was not attached. ${why}`,
  'attach.folder-refused': (values: { readonly folder: string; readonly files: number; readonly why: string }) =>
    `${values.folder} (${values.files} files) was not attached. ${values.why}`,
  'attach.without-marks': ({ path }: { readonly path: string }) =>
    `${path} was attached without characters of its name that don’t show.`,
  'attach.too-many': (values: { readonly first: string; readonly left: number; readonly most: number }) =>
    `${plural(values.left, { one: `${values.first} was`, other: `${values.left} of them were` })} not attached: a message takes ${values.most} files. What lies in the workspace can be read without being attached.`,
  'attach.gone': ({ name }: { readonly name: string }) =>
    `${name} is not in this chat’s files any more, so nothing was sent. Remove it here, or attach it again.`,
  'attach.unreadable-now': ({ name }: { readonly name: string }) =>
    `${name} can’t be read, so nothing was sent. Remove it here, or attach it again.`,
} satisfies Catalogue

export const attachSentence = sentencesOf(attachWords)
