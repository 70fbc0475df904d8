import { makeRefusal } from '@/lib/i18n/t'
import { vfsFailure, type VfsFailure } from '../vfs-result'
import type { ReadableVfs, Vfs } from '../vfs'

const refusals = {
  EROFS: () => makeRefusal('vfs.read-only'),
  EACCES: () => makeRefusal('vfs.no-access'),
} as const

const refuse = async (code: keyof typeof refusals, path = '/'): Promise<VfsFailure> =>
  vfsFailure(code, path, refusals[code]())

/** All methods that could change something, as refusals. Written out, so that a new method has to be added here. */
const changesRefused = (code: keyof typeof refusals): Omit<Vfs, keyof ReadableVfs | 'recording'> => ({
  write: (path) => refuse(code, path),
  makeDirectory: (path) => refuse(code, path),
  remove: (path) => refuse(code, path),
  move: (from) => refuse(code, from),
  apply: () => refuse(code),
  history: {
    list: () => refuse(code),
    read: (_id, path) => refuse(code, path),
    setUndone: () => refuse(code),
    follow: () => refuse(code),
    adopt: () => refuse(code),
    forget: () => refuse(code),
    usage: async () => ({ sets: 0, usedBytes: 0, limitBytes: 0 }),
  },
  // A read-only view does not own the files.
  close: async () => {},
})

/** A read-only view of these files: every change to them, or to their history, answers EROFS. */
export function readOnlyVfs(files: ReadableVfs): Vfs {
  const view: Vfs = {
    stat: (path) => files.stat(path),
    list: (path) => files.list(path),
    tree: (path) => files.tree(path),
    read: (path) => files.read(path),
    async snapshot() {
      const taken = await files.snapshot()
      return taken.ok ? { ok: true, value: { ...taken.value, isReadOnly: true } } : taken
    },
    usage: () => files.usage(),
    watch: (listener) => files.watch(listener),
    ...changesRefused('EROFS'),
    recording: () => view,
  }
  return Object.freeze(view)
}

/** No files: everything answers EACCES. */
export const noFiles: Vfs = Object.freeze({
  stat: (path) => refuse('EACCES', path),
  list: (path) => refuse('EACCES', path),
  tree: (path) => refuse('EACCES', path),
  read: (path) => refuse('EACCES', path),
  snapshot: () => refuse('EACCES'),
  usage: async () => ({ usedBytes: 0, limitBytes: 0, files: 0 }),
  watch: () => () => {},
  ...changesRefused('EACCES'),
  recording: () => noFiles,
} satisfies Vfs)
