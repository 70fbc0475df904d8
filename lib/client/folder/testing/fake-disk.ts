import type { DiskFile, DiskFileHandle, DiskFolderHandle, DiskWritable } from '../disk'

/*
 * A folder of handles in memory that behaves like the File System Access API: new bytes replace the old ones at
 * `close`, a `File` can't be read after a change, an exclusive writer locks a file, and creating a file leaves it
 * empty.
 */

interface FakeFile {
  readonly kind: 'file'
  bytes: Uint8Array<ArrayBuffer>
  modifiedAt: number
  writer: boolean
}
interface FakeFolder {
  readonly kind: 'directory'
  readonly children: Map<string, FakeFile | FakeFolder | FakeLink>
}
/** A name that opens but is not listed. */
interface FakeLink {
  readonly kind: 'link'
}

export type DiskStep =
  | 'entries'
  | 'getFile'
  | 'read'
  | 'getFileHandle'
  | 'getDirectoryHandle'
  | 'createWritable'
  | 'write'
  | 'close'
  | 'abort'
  | 'removeEntry'

const fail = (name: string): never => {
  throw new DOMException(`fake: ${name}`, name)
}
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

export function createFakeDisk(name: string) {
  const top: FakeFolder = { kind: 'directory', children: new Map() }
  let clock = 1_000
  /** Called before each step; may throw. */
  let onStep: (step: DiskStep) => void = () => undefined
  // Takes as long as a real call, so that other work can come between.
  const take = async (step: DiskStep) => {
    await Promise.resolve()
    onStep(step)
  }

  function folderAt(path: string, make: boolean): FakeFolder | null {
    let at = top
    for (const part of path.split('/').slice(0, -1)) {
      let next = at.children.get(part)
      if (!next && make) at.children.set(part, (next = { kind: 'directory', children: new Map() }))
      if (next?.kind !== 'directory') return null
      at = next
    }
    return at
  }
  const nodeAt = (path: string) => folderAt(path, false)?.children.get(path.split('/').at(-1) ?? '')

  function fileHandle(node: FakeFile, called: string): DiskFileHandle {
    return {
      kind: 'file',
      name: called,
      async getFile(): Promise<DiskFile> {
        await take('getFile')
        const { bytes, modifiedAt } = node
        const read = async (from: number, to: number) => {
          await take('read')
          if (node.bytes !== bytes) fail('NotReadableError')
          return bytes.slice(from, to).buffer
        }
        return {
          size: bytes.byteLength,
          lastModified: modifiedAt,
          arrayBuffer: () => read(0, bytes.byteLength),
          slice: (from, to) => ({ arrayBuffer: () => read(from, to) }),
        }
      },
      async createWritable(): Promise<DiskWritable> {
        await take('createWritable')
        if (node.writer) fail('NoModificationAllowedError')
        node.writer = true
        let swap = new Uint8Array()
        return {
          async write(data) {
            await take('write')
            swap = new Uint8Array([...swap, ...data])
          },
          async close() {
            await take('close')
            node.writer = false
            node.bytes = swap
            node.modifiedAt = clock++
          },
          async abort() {
            node.writer = false
            await take('abort')
          },
        }
      },
    }
  }

  function folderHandle(node: FakeFolder, called: string): DiskFolderHandle {
    const child = (one: string, kind: 'file' | 'directory') => {
      if (one === '' || one === '.' || one === '..' || /[/\\]/.test(one)) throw new TypeError('Name is not allowed.')
      const found = node.children.get(one)
      if (found && found.kind !== kind && found.kind !== 'link') fail('TypeMismatchError')
      return found
    }
    return {
      kind: 'directory',
      name: called,
      async *entries() {
        await take('entries')
        for (const [one, found] of node.children) {
          if (found.kind === 'file') yield [one, fileHandle(found, one)] as const
          else if (found.kind === 'directory') yield [one, folderHandle(found, one)] as const
        }
      },
      async getFileHandle(one, { create = false } = {}) {
        await take('getFileHandle')
        const found = child(one, 'file')
        if (found?.kind === 'file') return fileHandle(found, one)
        if (found) return fileHandle({ kind: 'file', bytes: bytesOf('elsewhere'), modifiedAt: 1, writer: false }, one)
        if (!create) fail('NotFoundError')
        const made: FakeFile = { kind: 'file', bytes: new Uint8Array(), modifiedAt: clock++, writer: false }
        node.children.set(one, made)
        return fileHandle(made, one)
      },
      async getDirectoryHandle(one, { create = false } = {}) {
        await take('getDirectoryHandle')
        const found = child(one, 'directory')
        if (found?.kind === 'directory') return folderHandle(found, one)
        if (found || !create) fail('NotFoundError')
        const made: FakeFolder = { kind: 'directory', children: new Map() }
        node.children.set(one, made)
        return folderHandle(made, one)
      },
      async removeEntry(one) {
        await take('removeEntry')
        const found = node.children.get(one)
        if (!found) fail('NotFoundError')
        if (found?.kind === 'directory' && found.children.size > 0) fail('InvalidModificationError')
        node.children.delete(one)
      },
    }
  }

  function files(folder: FakeFolder = top, at = ''): [string, string][] {
    return [...folder.children].flatMap(([one, node]): [string, string][] =>
      node.kind === 'directory'
        ? files(node, `${at}${one}/`)
        : node.kind === 'file'
          ? [[at + one, new TextDecoder().decode(node.bytes)]]
          : [],
    )
  }

  return {
    handle: folderHandle(top, name),
    /** Another program writes: in place, at once. */
    put(path: string, text: string): void {
      const found = nodeAt(path)
      if (found?.kind === 'file') {
        found.bytes = bytesOf(text)
        found.modifiedAt = clock++
        return
      }
      folderAt(path, true)?.children.set(path.split('/').at(-1) ?? '', {
        kind: 'file',
        bytes: bytesOf(text),
        modifiedAt: clock++,
        writer: false,
      })
    },
    putLink: (path: string) => void folderAt(path, true)?.children.set(path.split('/').at(-1) ?? '', { kind: 'link' }),
    remove: (path: string) => void folderAt(path, false)?.children.delete(path.split('/').at(-1) ?? ''),
    /** All files, by relative path. */
    files: (): Readonly<Record<string, string>> =>
      Object.fromEntries(files().toSorted(([one], [other]) => (one < other ? -1 : 1))),
    setStep(listener: (step: DiskStep) => void): void {
      onStep = listener
    },
    /** A closed tab releases its writers. */
    releaseWriters(folder: FakeFolder = top): void {
      for (const node of folder.children.values()) {
        if (node.kind === 'file') node.writer = false
        else if (node.kind === 'directory') this.releaseWriters(node)
      }
    },
  }
}

export type FakeDisk = ReturnType<typeof createFakeDisk>
