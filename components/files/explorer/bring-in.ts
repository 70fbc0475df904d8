import { counted, plural } from '@/lib/base/locale'
import { nameOf } from '@/lib/vfs/path'
import { replaceInstead, topUnder } from '@/lib/workspace/upload/replace-instead'
import type { ChosenFile } from '../upload/read-drop'
import { uploadFiles, type Uploaded, type UploadProgress } from '../upload/upload-files'
import { named, namedOr } from './name-words'
import type { FileNotice } from './notice'
import type { Undoable } from './undoable'

/** "a.csv", "3 files", "3 files and 1 empty folder". */
const broughtIn = (files: readonly string[], folders: readonly string[], wanted: string | undefined): string => {
  const [only] = [...files, ...folders]
  if (files.length + folders.length === 1) return named(nameOf(wanted ?? only ?? ''))
  const counts = [
    files.length > 0 ? counted(files.length, { one: 'file', other: 'files' }) : null,
    folders.length > 0 ? counted(folders.length, { one: 'empty folder', other: 'empty folders' }) : null,
  ]
  return counts.filter((one) => one !== null).join(' and ')
}

const topsOf = (folder: string, paths: readonly string[]): readonly string[] => [
  ...new Set(paths.map((path) => topUnder(folder, path))),
]

/** What comes from outside: says what came, and offers the name that was taken. */
export function createBringIn({ fail, recording, undoable }: Undoable, say: (notice: FileNotice) => void) {
  const arrived = (folder: string, done: Uploaded): readonly string[] => {
    if (!done.ok) {
      fail(done.message)
      return []
    }
    const { paths, folders, renamed, renamedFolders } = done
    const tops = topsOf(folder, [...paths, ...folders])
    const taken = [...renamed, ...renamedFolders]
    const [first] = taken
    const what = broughtIn(paths, folders, first?.wanted)
    const bare = done.cleaned === 0 ? '' : ` ${cleanedWords(done.cleaned)}`
    const where = folder === '/' ? '' : ` to ${named(folder)}`
    if (first === undefined) {
      say({ tone: 'said', words: `Uploaded ${what}${where}.${bare}` })
      return tops
    }
    const others = taken.length > 1 ? `, and ${taken.length - 1} more` : ''
    const was = `${named(first.wanted)} was taken, so it is ${named(first.path)}${others}.`
    const replace = () =>
      void undoable(
        'uploaded',
        `Replaced ${namedOr(taken.map(({ wanted }) => wanted))}.`,
        'Both are there again.',
        (files) => files.apply(replaceInstead(folder, renamed, renamedFolders)),
      )
    say({
      tone: 'said',
      words: `Uploaded ${what}${where}.${bare} ${was}`,
      action: { label: 'Replace instead', run: replace },
    })
    return tops
  }

  return {
    /** Gives what stands in the folder then. */
    async upload(folder: string, chosen: readonly ChosenFile[]): Promise<readonly string[]> {
      const work = new AbortController()
      const stop = () => work.abort()
      const progress = ({ words, done, of }: UploadProgress) =>
        say({ tone: 'said', words, progress: { done, of, stop: done < of ? stop : null } })
      const done = await uploadFiles(recording('uploaded'), folder, chosen, {
        onProgress: progress,
        signal: work.signal,
      })
      return arrived(folder, done)
    },

    /** Says what a zip brought; gives what stands in the folder then. */
    unpacked(folder: string, paths: readonly string[]): readonly string[] {
      if (paths.length === 0) return []
      const where = folder === '/' ? '' : ` to ${named(folder)}`
      say({ tone: 'said', words: `Unpacked ${counted(paths.length, { one: 'file', other: 'files' })}${where}.` })
      return topsOf(folder, paths)
    },
  }
}

const cleanedWords = (count: number): string =>
  plural(count, {
    one: 'One name held characters that don’t show; they were left out.',
    other: `${count} names held characters that don’t show; they were left out.`,
  })
