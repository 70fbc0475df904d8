import { asForeign, foreignOrEmpty } from '@/lib/base/foreign-text/foreign'
import { nameOf } from '@/lib/vfs/path'
import { t } from '@/lib/i18n/t'
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
  const ofFiles = t('files-explorer.brought-files', { count: files.length })
  const ofFolders = t('files-explorer.brought-folders', { count: folders.length })
  if (folders.length === 0) return ofFiles
  if (files.length === 0) return ofFolders
  return t('files-explorer.brought-both', { files: ofFiles, folders: ofFolders })
}

/** '' for the top folder, which goes without saying. */

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
    const told = [
      t('files-explorer.uploaded', { what, folder: foreignOrEmpty(folder) }),
      ...(done.cleaned === 0 ? [] : [t('files-explorer.cleaned', { count: done.cleaned })]),
    ]
    if (first === undefined) {
      say({ tone: 'said', words: t('files-explorer.told', { parts: told }) })
      return tops
    }
    const was = t('files-explorer.taken', {
      wanted: named(first.wanted),
      path: asForeign(first.path),
      more: taken.length - 1,
    })
    const replace = () =>
      void undoable(
        'uploaded',
        t('files-explorer.replaced', { what: namedOr(taken.map(({ wanted }) => wanted)) }),
        t('files-explorer.replaced-back'),
        (files) => files.apply(replaceInstead(folder, renamed, renamedFolders)),
      )
    say({
      tone: 'said',
      words: t('files-explorer.told', { parts: [...told, was] }),
      action: { label: t('files-explorer.replace'), run: replace },
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
      const words = t('files-explorer.unpacked', {
        count: paths.length,
        folder: foreignOrEmpty(folder),
      })
      say({ tone: 'said', words })
      return topsOf(folder, paths)
    },
  }
}
