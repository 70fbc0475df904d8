import { nearestPath } from '@/lib/base/text/nearest-path'
import type { RunSnapshot } from './protocol'
import { createBlobReader } from './run-files'

/** Files that a run can look through by itself. */
export interface AvailableFiles {
  /** -1: there is no such file. */
  size(path: string): number
  read(path: string): Uint8Array
  /** Of files and folders. */
  paths(): Iterable<string>
}

/** The end of a sentence about a path that is nowhere: a model that mistook it needs no round to look for it. */
export function nearestNames(files: AvailableFiles, path: string): string {
  const nearest = nearestPath(path, files.paths())
  return nearest === null ? '' : `The nearest name is ${nearest}.`
}

/** From the top, as code's own relative paths; what can't be a path of the chat's files then names none of them. */
export function absolute(given: string): string {
  const names: string[] = []
  for (const name of given.split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return `/${names.join('/')}`
}

/** The text of a file that is named by what is no program: a chart. Throws a sentence. */
export function readNamed(files: AvailableFiles, given: string): string {
  const path = absolute(given)
  if (files.size(path) < 0) throw new Error(`There is no file at ${path}. ${nearestNames(files, path)}`.trim())
  return new TextDecoder().decode(files.read(path))
}

/** The files as they were handed over, for code that has no other use for them. */
export function filesOfSnapshot(snapshot: RunSnapshot): AvailableFiles {
  if (snapshot.access === 'none') throw new Error('The files can’t be reached from here.')
  const at = new Map(snapshot.entries.map((entry, index) => [entry.path, { entry, index }]))
  const read = createBlobReader(snapshot)
  return {
    size(path) {
      const { entry } = at.get(path) ?? {}
      return entry?.kind === 'file' ? entry.size : -1
    },
    read: (path) => read(at.get(path)?.index ?? -1),
    paths: () => at.keys(),
  }
}
