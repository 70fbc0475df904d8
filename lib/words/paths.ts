import { refusalsOf, type Catalogue } from '@/lib/base/catalogue'

/** Why a path or a name is none; both come as they may be shown. Models read the same sentences, in English. */
const pathWords = {
  'vfs.path-too-long': 'The path {path} can’t be used: it is longer than {most} characters.',
  'vfs.path-half-character': 'The path {path} can’t be used: it holds half of a surrogate pair.',
  'vfs.path-control-character': 'The path {path} can’t be used: it holds a control character.',
  'vfs.path-backslash': 'The path {path} can’t be used: it holds a backslash; folders are separated by /.',
  'vfs.path-outside': 'The path {path} leads out of this chat’s files.',
  'vfs.name-too-long': 'The name {name} is too long: a name may hold {most} bytes.',
  'vfs.name-reserved': 'The name {name} is reserved. Choose another one, such as {name}-file.',
  'vfs.name-hidden': 'The name {name} can’t be given: it holds {holds}, which does not show. Leave it out.',
} as const satisfies Catalogue

export const pathRefusal = refusalsOf(pathWords)
