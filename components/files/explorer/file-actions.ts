import { quoted } from '@/lib/base/foreign-text/foreign-text'
import { formatBytes } from '@/lib/base/format-bytes'
import { loadPart } from '@/lib/base/load-part'
import type { Changed, FileChange, Vfs } from '@/lib/vfs/vfs'
import type { VfsResult } from '@/lib/vfs/vfs-result'
import { joinPath, nameOf, parentOf } from '@/lib/vfs/path'
import { freeName } from '@/lib/workspace/place-files'
import { planMove } from '@/lib/workspace/tree/plan-move'
import { measure, outermost, ownFolder, type FileTree } from '@/lib/workspace/tree/tree-rows'
import { replaceInstead, topUnder } from '@/lib/workspace/upload/replace-instead'
import type { ChosenFile } from '../upload/read-drop'
import { uploadFiles, type Uploaded } from '../upload/upload-files'
import type { FileNotice } from './notice'

export interface FileActionPorts {
  readonly vfs: Vfs
  readonly tree: FileTree
  /** The head of the conversation. */
  readonly messageId: string | null
  /** A file or folder stands somewhere else now, by a move or by its undo. */
  readonly onMoved: (from: string, to: string) => void
  readonly say: (notice: FileNotice | null) => void
}

interface Move {
  readonly from: string
  readonly to: string
}

/** A name inside of a sentence of ours: quoted and cut, so that it never goes on in our voice. */
const named = (path: string): string => quoted(path, 80)

const many = (count: number, one: string) => (count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${one}s`)

/** "/a.md" or "3 items". */
export const namedOr = (paths: readonly string[]): string => {
  const [first] = paths
  return paths.length === 1 && first !== undefined ? named(first) : many(paths.length, 'item')
}

/** "a.csv", "3 files", "3 files and 1 empty folder". */
const broughtIn = (files: readonly string[], folders: readonly string[], wanted: string | undefined): string => {
  const [only] = [...files, ...folders]
  if (files.length + folders.length === 1) return named(nameOf(wanted ?? only ?? ''))
  const counts = [
    files.length > 0 ? many(files.length, 'file') : null,
    folders.length > 0 ? many(folders.length, 'empty folder') : null,
  ]
  return counts.filter((one) => one !== null).join(' and ')
}

const topsOf = (folder: string, paths: readonly string[]): readonly string[] => [
  ...new Set(paths.map((path) => topUnder(folder, path))),
]

/**
 * What a user does to the files. All of it is recorded, so that it can be taken back; each gives true when it was done, and says
 * itself what came of it.
 */
export function createFileActions({ vfs, tree, messageId, onMoved, say }: FileActionPorts) {
  const fail = (words: string): false => {
    say({ tone: 'failed', words })
    return false
  }
  const recording = (action: string): Vfs => vfs.recording({ kind: 'user', action, messageId })

  const takeBack = async (id: number, words: string, moves: readonly Move[]): Promise<void> => {
    const back = await vfs.history.setUndone([id], true)
    if (!back.ok) {
      fail(back.error.message)
      return
    }
    if (back.value.kept.length === 0) for (const { from, to } of moves.toReversed()) onMoved(to, from)
    if (back.value.kept.length > 0) {
      say({ tone: 'said', words: `${words} ${many(back.value.kept.length, 'path')} stayed: changed again since.` })
    } else say({ tone: 'said', words })
  }

  /** Does it, says so, and offers to take it back. */
  const undoable = async (
    action: string,
    words: string,
    back: string,
    work: (files: Vfs) => Promise<VfsResult<Changed>>,
    moves: readonly Move[] = [],
  ): Promise<boolean> => {
    const done = await work(recording(action))
    if (!done.ok) return fail(done.error.message)
    for (const { from, to } of moves) onMoved(from, to)
    const { changeId } = done.value
    const undo = { label: 'Undo', run: () => void takeBack(changeId ?? 0, back, moves) }
    say({ tone: 'said', words, ...(changeId === null ? {} : { action: undo }) })
    return true
  }

  const progress = (words: string) => say({ tone: 'said', words })

  /** Says what came in, and offers the name that was taken. */
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

  const copySteps = async (from: string, to: string): Promise<VfsResult<readonly FileChange[]>> => {
    const entry = tree.byPath.get(from)
    if (entry?.kind !== 'directory') {
      const read = await vfs.read(from)
      return read.ok ? { ok: true, value: [{ kind: 'write', path: to, data: read.value }] } : read
    }
    const steps: FileChange[] = [{ kind: 'makeDirectory', path: to }]
    for (const child of tree.children.get(from) ?? []) {
      const inside = await copySteps(child.path, joinPath(to, child.name))
      if (!inside.ok) return inside
      steps.push(...inside.value)
    }
    return { ok: true, value: steps }
  }

  return {
    async create(kind: 'file' | 'directory', path: string): Promise<boolean> {
      const files = recording('created')
      const done = kind === 'file' ? await files.write(path, new Uint8Array()) : await files.makeDirectory(path)
      if (!done.ok) return fail(done.error.message)
      say({ tone: 'said', words: `Created ${named(path)}.` })
      return true
    },

    rename(from: string, to: string): Promise<boolean> {
      if (from === to) return Promise.resolve(true)
      const words = `Renamed ${named(nameOf(from))} to ${named(nameOf(to))}.`
      const work = (files: Vfs) => files.move(from, to)
      return undoable('renamed', words, `It is ${named(nameOf(from))} again.`, work, [{ from, to }])
    },

    /** Gives where they stand then; null when nothing moved. */
    async move(paths: readonly string[], folder: string): Promise<readonly string[] | null> {
      const plan = planMove(tree, paths, folder)
      if (!plan.ok) {
        fail(plan.message)
        return null
      }
      if (plan.moves.length === 0) return null
      const what = namedOr(plan.moves.map(({ from }) => from))
      const where = folder === '/' ? 'the top folder' : named(folder)
      const work = (files: Vfs) => files.apply(plan.moves)
      const done = await undoable('moved', `Moved ${what} to ${where}.`, 'Moved back.', work, plan.moves)
      return done ? plan.moves.map(({ to }) => to) : null
    },

    remove(paths: readonly string[]): Promise<boolean> {
      const gone = outermost(paths)
      const counted = gone.reduce((sum, path) => sum + measure(tree, path).files, 0)
      const inside = gone.length === 1 && counted === 1 ? '' : ` with ${many(counted, 'file')}`
      const isFile = gone.length === 1 && tree.byPath.get(gone[0] ?? '')?.kind === 'file'
      return undoable(
        'deleted',
        `Deleted ${namedOr(gone)}${isFile ? '' : inside}.`,
        gone.length === 1 ? 'It is back.' : 'They are back.',
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
        const copied = await copySteps(from, to)
        if (!copied.ok) {
          fail(copied.error.message)
          return null
        }
        steps.push(...copied.value)
        copies.push(to)
      }
      const done = await undoable(
        'duplicated',
        `Made ${namedOr(copies)}.`,
        copies.length === 1 ? 'The copy is gone.' : 'The copies are gone.',
        (files) => files.apply(steps),
      )
      return done ? copies : null
    },

    /** Gives what stands in the folder then. */
    async upload(folder: string, chosen: readonly ChosenFile[]): Promise<readonly string[]> {
      const done = await uploadFiles(recording('uploaded'), folder, chosen, progress)
      return arrived(folder, done)
    },

    /** One file as it is, anything else as a zip. Nod’s own files come along with the rest only while they are shown. */
    async download(paths: readonly string[]): Promise<void> {
      const { downloadSelection } = await loadPart(() => import('../zip/download-files'))
      const done = await downloadSelection(vfs, paths, {
        except: tree.byPath.has(ownFolder) ? null : ownFolder,
        onProgress: ({ files, bytes }) => progress(`Making a zip: ${many(files, 'file')}, ${formatBytes(bytes)} …`),
      })
      if (done.ok) say(null)
      else fail(done.message)
    },

    /** Says what a zip brought; gives what stands in the folder then. */
    unpacked(folder: string, paths: readonly string[]): readonly string[] {
      if (paths.length === 0) return []
      const where = folder === '/' ? '' : ` to ${named(folder)}`
      say({ tone: 'said', words: `Unpacked ${many(paths.length, 'file')}${where}.` })
      return topsOf(folder, paths)
    },

    /** The files stay; what was done to them can no longer be taken back. */
    async forget(): Promise<void> {
      const forgotten = await vfs.history.forget()
      if (forgotten.ok) say({ tone: 'said', words: 'Older changes are forgotten. The files are as they were.' })
      else fail(forgotten.error.message)
    },

    async copyPath(paths: readonly string[]): Promise<void> {
      try {
        await navigator.clipboard.writeText(paths.join('\n'))
        say({
          tone: 'said',
          words: paths.length === 1 ? `Copied ${named(paths[0] ?? '')}.` : `Copied ${paths.length} paths.`,
        })
      } catch {
        fail(`The browser did not let the path be copied: ${namedOr(paths)}`)
      }
    },
  }
}

const cleanedWords = (count: number): string =>
  count === 1
    ? 'One name held characters that don’t show; they were left out.'
    : `${count} names held characters that don’t show; they were left out.`
