import { refusalsOf, type Catalogue } from '@/lib/base/catalogue'

const unusable =
  (flaw: string) =>
  ({ path }: { readonly path: string }) =>
    `The path ${path} can’t be used: it ${flaw}.`

/** Why a path or a name is none; both come as they may be shown. Models read the same sentences, in English. */
const pathWords = {
  'vfs.path-too-long': ({ path, most }: { readonly path: string; readonly most: number }) =>
    unusable(`is longer than ${most} characters`)({ path }),
  'vfs.path-half-character': unusable('holds half of a surrogate pair'),
  'vfs.path-control-character': unusable('holds a control character'),
  'vfs.path-backslash': unusable('holds a backslash; folders are separated by /'),
  'vfs.path-outside': ({ path }: { readonly path: string }) => `The path ${path} leads out of this chat’s files.`,
  'vfs.name-too-long': ({ name, most }: { readonly name: string; readonly most: number }) =>
    `The name ${name} is too long: a name may hold ${most} bytes.`,
  'vfs.name-reserved': ({ name }: { readonly name: string }) =>
    `The name ${name} is reserved. Choose another one, such as ${name}-file.`,
  'vfs.name-hidden': ({ name, holds }: { readonly name: string; readonly holds: string }) =>
    `The name ${name} can’t be given: it holds ${holds}, which does not show. Leave it out.`,
} satisfies Catalogue

export const pathRefusal = refusalsOf(pathWords)
