import { asUntrusted, untrustedOrEmpty } from '@/lib/base/untrusted-text/foreign'
import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import type { FileChange, Vfs } from '@/lib/vfs/vfs'
import type { VfsResult } from '@/lib/vfs/vfs-result'
import { joinPath, nameOf, parentOf } from '@/lib/vfs/path'
import { freeName } from '@/lib/client/files/place-files'
import { measure, outermost, ownFolder, type FileTree, planMove } from '@/lib/client/files/tree/tree-rows'
import { named, namedOr } from './name-field'
import { createUndoable, type UndoablePorts, type Undoable, type FileNotice } from './notice'
import { replaceInstead, topUnder } from '@/lib/client/files/upload/check-upload'
import type { ChosenFile } from '../upload/read-drop'
import { uploadFiles, type Uploaded, type UploadProgress } from '../upload/upload-files'

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

/** '' for the top folder, which is not mentioned. */

const topsOf = (folder: string, paths: readonly string[]): readonly string[] => [
  ...new Set(paths.map((path) => topUnder(folder, path))),
]

/** Imports from outside: reports what was added, and offers to use a name that already exists. */
function createFileImport({ fail, recording, undoable }: Undoable, say: (notice: FileNotice) => void) {
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
      t('files-explorer.uploaded', { what, folder: untrustedOrEmpty(folder) }),
      ...(done.cleaned === 0 ? [] : [t('files-explorer.cleaned', { count: done.cleaned })]),
    ]
    if (first === undefined) {
      say({ tone: 'said', words: t('files-explorer.told', { parts: told }) })
      return tops
    }
    const was = t('files-explorer.taken', {
      wanted: named(first.wanted),
      path: asUntrusted(first.path),
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
    /** Returns the folder's new entries. */
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

    /** Reports what a zip added; returns the folder's new entries. */
    unpacked(folder: string, paths: readonly string[]): readonly string[] {
      if (paths.length === 0) return []
      const words = t('files-explorer.unpacked', {
        count: paths.length,
        folder: untrustedOrEmpty(folder),
      })
      say({ tone: 'said', words })
      return topsOf(folder, paths)
    },
  }
}

export interface FileActionPorts extends UndoablePorts {
  readonly tree: FileTree
}

/**
 * The user's actions on files. All are recorded, so that they can be undone. Each returns true on success and reports
 * its own result.
 */
export function createFileActions({ tree, ...ports }: FileActionPorts) {
  const { vfs, say } = ports
  const undoing = createUndoable(ports)
  const { fail, recording, undoable } = undoing
  return {
    ...createFileImport(undoing, say),

    async create(kind: 'file' | 'directory', path: string): Promise<boolean> {
      const files = recording('created')
      const done = kind === 'file' ? await files.write(path, new Uint8Array()) : await files.makeDirectory(path)
      if (!done.ok) return fail(done.error.message)
      say({ tone: 'said', words: t('files-explorer.created', { name: asUntrusted(path) }) })
      return true
    },

    rename(from: string, to: string): Promise<boolean> {
      if (from === to) return Promise.resolve(true)
      const words = t('files-explorer.renamed', { from: named(nameOf(from)), to: named(nameOf(to)) })
      const back = t('files-explorer.renamed-back', { name: asUntrusted(nameOf(from)) })
      const work = (files: Vfs) => files.move(from, to)
      return undoable('renamed', words, back, work, [{ from, to }])
    },

    /** Returns the new paths; null if nothing moved. */
    async move(paths: readonly string[], folder: string): Promise<readonly string[] | null> {
      const plan = planMove(tree, paths, folder)
      if (!plan.ok) {
        fail(plan.message)
        return null
      }
      if (plan.moves.length === 0) return null
      const what = namedOr(plan.moves.map(({ from }) => from))
      const words = t('files-explorer.moved', {
        what,
        folder: untrustedOrEmpty(folder),
      })
      const work = (files: Vfs) => files.apply(plan.moves)
      const back = t('files-explorer.moved-back')
      const done = await undoable('moved', words, back, work, plan.moves)
      return done ? plan.moves.map(({ to }) => to) : null
    },

    remove(paths: readonly string[]): Promise<boolean> {
      const gone = outermost(paths)
      const inside = gone.reduce((sum, path) => sum + measure(tree, path).files, 0)
      const isFile = gone.length === 1 && tree.byPath.get(gone[0] ?? '')?.kind === 'file'
      const what = namedOr(gone)
      return undoable(
        'deleted',
        isFile || (gone.length === 1 && inside === 1)
          ? t('files-explorer.deleted', { what })
          : t('files-explorer.deleted-with', { what, files: inside }),
        t('files-explorer.deleted-back', { count: gone.length }),
        (files) => files.apply(gone.map((path) => ({ kind: 'remove', path }))),
      )
    },

    async duplicate(paths: readonly string[]): Promise<readonly string[] | null> {
      const steps: FileChange[] = []
      const copies: string[] = []
      for (const from of outermost(paths)) {
        const folder = parentOf(from)
        const names = new Set((tree.children.get(folder) ?? []).map(({ name }) => name))
        const to = joinPath(
          folder,
          freeName(nameOf(from), (name) => names.has(name) || copies.includes(joinPath(folder, name))),
        )
        const copied = await copySteps(vfs, tree, from, to)
        if (!copied.ok) {
          fail(copied.error.message)
          return null
        }
        steps.push(...copied.value)
        copies.push(to)
      }
      const done = await undoable(
        'duplicated',
        t('files-explorer.duplicated', { what: namedOr(copies) }),
        t('files-explorer.duplicated-back', { count: copies.length }),
        (files) => files.apply(steps),
      )
      return done ? copies : null
    },

    download: (paths: readonly string[]) => download({ tree, ...ports }, fail, paths),

    /** Clears the history: the files stay, but earlier changes can't be undone. */
    async forget(): Promise<void> {
      const forgotten = await vfs.history.forget()
      if (forgotten.ok) say({ tone: 'said', words: t('files-explorer.forgotten') })
      else fail(forgotten.error.message)
    },

    async copyPath(paths: readonly string[]): Promise<void> {
      try {
        await navigator.clipboard.writeText(paths.join('\n'))
        say({
          tone: 'said',
          words: t('files-explorer.copied', {
            count: paths.length,
            path: asUntrusted(paths[0] ?? ''),
          }),
        })
      } catch {
        fail(t('files-explorer.not-copied', { what: namedOr(paths) }))
      }
    },
  }
}

/** One file is downloaded unchanged, anything else as a zip. Nod's own files are included only while they are shown. */
async function download(
  { vfs, tree, say }: FileActionPorts,
  fail: (why: string) => false,
  paths: readonly string[],
): Promise<void> {
  const { downloadSelection } = await loadPart(() => import('../zip/download-files'))
  const work = new AbortController()
  const stop = () => work.abort()
  try {
    const done = await downloadSelection(vfs, paths, {
      except: tree.byPath.has(ownFolder) ? null : ownFolder,
      signal: work.signal,
      onProgress: ({ files, bytes, allFiles = files }) =>
        say({
          tone: 'said',
          words: t('wait.zip-make', { done: files, all: allFiles, bytes }),
          progress: { done: files, of: allFiles, stop },
        }),
    })
    if (done.ok) say(null)
    else fail(done.message)
  } catch (error) {
    if (!work.signal.aborted) throw error
    say({ tone: 'said', words: t('wait.zip-stopped') })
  }
}

/** The steps that copy a file or a folder. */
async function copySteps(
  vfs: Vfs,
  tree: FileTree,
  from: string,
  to: string,
): Promise<VfsResult<readonly FileChange[]>> {
  const entry = tree.byPath.get(from)
  if (entry?.kind !== 'directory') {
    const read = await vfs.read(from)
    return read.ok ? { ok: true, value: [{ kind: 'write', path: to, data: read.value }] } : read
  }
  const steps: FileChange[] = [{ kind: 'makeDirectory', path: to }]
  for (const child of tree.children.get(from) ?? []) {
    const inside = await copySteps(vfs, tree, child.path, joinPath(to, child.name))
    if (!inside.ok) return inside
    steps.push(...inside.value)
  }
  return { ok: true, value: steps }
}
