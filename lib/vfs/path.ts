import { visibleText, barredInName } from '@/lib/base/untrusted-text/foreign-text'
import { makeRefusal } from '@/lib/i18n/t'
import { type VfsResult, vfsFailure, type VfsFailure } from './vfs-result'

/*
 * Path rules, the same for every backend:
 * - at most 1,024 UTF-16 units, well-formed, no control characters, no backslash; NFC, so that names that look the same are the same
 * - split on `/`; empty parts and `.` are dropped; `..` goes up, above the root is refused
 * - a name has at most 255 bytes of UTF-8 and is not a key of Object.prototype (model-written code keeps files as plain objects)
 * - a new name has only visible characters (`refusedName`); existing paths stay reachable
 * A relative path counts from the root: models write `notes.md` as often as `/notes.md`.
 */

const maxPathLength = 1_024
const maxNameBytes = 255
const encoder = new TextEncoder()

const isControl = (character: string) => character < ' ' || character === '\u007f'

/** The path as messages show it: cut, and with marks for invisible characters. */
const shown = (path: string) => visibleText(path.length > 120 ? `${path.slice(0, 120)}…` : path, 'name')

/** What is wrong with a path before it is split; null if nothing. */
function flawOf(path: string): VfsFailure | null {
  const as = shown(path)
  if (path.length > maxPathLength) {
    return vfsFailure('ENAMETOOLONG', as, makeRefusal('vfs.path-too-long', { path: as, most: maxPathLength }))
  }
  const refuse = (reason: PathFlaw) => vfsFailure('EINVAL', as, makeRefusal(reason, { path: as }))
  if (!path.isWellFormed()) return refuse('vfs.path-half-character')
  if (Array.prototype.some.call(path, isControl)) return refuse('vfs.path-control-character')
  return path.includes('\\') ? refuse('vfs.path-backslash') : null
}

type PathFlaw = `vfs.path-${'half-character' | 'control-character' | 'backslash'}`

/** The absolute, normalised form of a path, as `/a/b`; `/` is the root. Errors: EINVAL, ENAMETOOLONG, EACCES. */
export function normalizePath(path: string): VfsResult<string> {
  const flaw = flawOf(path)
  if (flaw !== null) return flaw
  const names: string[] = []
  for (const name of path.normalize('NFC').split('/')) {
    if (name === '' || name === '.') continue
    if (name === '..') {
      if (names.pop() === undefined) {
        return vfsFailure('EACCES', shown(path), makeRefusal('vfs.path-outside', { path: shown(path) }))
      }
      continue
    }
    if (encoder.encode(name).byteLength > maxNameBytes) {
      const refusal = makeRefusal('vfs.name-too-long', { name: shown(name), most: maxNameBytes })
      return vfsFailure('ENAMETOOLONG', shown(path), refusal)
    }
    if (name in Object.prototype) {
      return vfsFailure('EINVAL', shown(path), makeRefusal('vfs.name-reserved', { name }))
    }
    names.push(name)
  }
  return { ok: true, value: `/${names.join('/')}` }
}

/**
 * Why nothing new may be created at a normalised path; null if it may. Only names that `isThere` does not know are
 * checked, so that an existing file with such a name can be read, written and removed. Errors: EINVAL.
 */
export function refusedName(path: string, isThere: (path: string) => boolean): VfsFailure | null {
  for (let at = path; at !== '/' && !isThere(at); at = parentOf(at)) {
    const label = barredInName(nameOf(at))
    if (label !== null) {
      return vfsFailure('EINVAL', path, makeRefusal('vfs.name-hidden', { name: shown(nameOf(at)), holds: label }))
    }
  }
  return null
}

/** The folder of a normalised path; the root's folder is the root. */
export const parentOf = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf('/')))

/** The last name of a normalised path; '' for the root. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

export const joinPath = (folder: string, name: string): string => (folder === '/' ? `/${name}` : `${folder}/${name}`)

/** True for the folder itself and any path in it. */
export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)

/** What a run did to one path. */
export interface ChangedPath {
  readonly path: string
  readonly change: 'created' | 'changed' | 'deleted'
  readonly kind: 'file' | 'directory'
  /** Size in bytes after the change; 0 for deleted paths and for folders. */
  readonly size: number
}
