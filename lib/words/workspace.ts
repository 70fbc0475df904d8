import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** What is said of what a person does with files. */
const workspaceWords = {
  'workspace.name-missing': 'Give it a name.',
  'workspace.no-name': '{name} is not a name. Choose another one.',
  'workspace.file-there': 'There is already a file at {path}. Choose another name.',
  'workspace.folder-there': 'There is already a folder at {path}. Choose another name.',
  'workspace.is-file': '{path} is a file, not a folder.',
  'workspace.move-no-folder': 'There is no folder at {folder}. Nothing was moved.',
  'workspace.move-into-itself': '{path} can’t be moved into itself. Nothing was moved.',
  'workspace.move-taken': '{folder} already holds something called {name}. Nothing was moved.',

  'workspace.upload-too-big':
    '{path} is too big: it has {size, bytes}, and one file may hold {most, bytes}. Nothing was uploaded.',
  'workspace.upload-no-room':
    'There is no room for {files, plural, one {{largest} of {total, bytes}} other {# files of {total, bytes}, the largest is {largest}}}: this chat’s files use {used, bytes} of {most, bytes}. Nothing was uploaded.',
  'workspace.upload-too-many':
    'There is no room for {files, number} more files: this chat holds {held, number} files, and {most, number} is the most it can hold. Nothing was uploaded.',

  'workspace.not-restored-now': 'Nothing was restored: a reply is being written, or a message is on its way.',
  'workspace.restored-in-part': 'The chat went back, but not all of its files did. {why}',
  'workspace.not-restored': 'Nothing was restored. {why}',
} as const satisfies Catalogue

export const workspaceSentence = sentencesOf(workspaceWords)
