import type { FileNode, GuestFiles } from '../guest-files'

interface Item extends FileNode {
  readonly kind: 'file' | 'folder' | 'link'
  content: Uint8Array
  modifiedAt: number
  readonly children: Map<string, Item>
}

const modes = { file: 0o100644, folder: 0o040755, link: 0o120777 } as const

/** Emscripten's file system in small, as Pyodide leaves it: Python's own places and three empty folders. */
export function memoryGuestFiles(): GuestFiles & { remove(path: string): void; link(path: string): void } {
  let clock = 1_000_000
  const shared: FileNode['node_ops'] = { readdir: (node) => ['.', '..', ...(node as Item).children.keys()] }
  const newItem = (kind: Item['kind'], content = new Uint8Array()): Item => ({
    kind,
    content,
    modifiedAt: ++clock,
    children: new Map(),
    node_ops: shared,
  })
  const root = newItem('folder')
  const partsOf = (path: string) => path.split('/').filter((part) => part !== '')
  const find = (path: string): Item => {
    let item = root
    for (const part of partsOf(path)) {
      const inner = item.children.get(part)
      if (inner === undefined) throw new Error(`ENOENT ${path}`)
      item = inner
    }
    return item
  }
  const parentOf = (path: string): readonly [Item, string] => {
    const parts = partsOf(path)
    const name = parts.pop() ?? ''
    return [find(`/${parts.join('/')}`), name]
  }
  const put = (path: string, item: Item) => {
    const [parent, name] = parentOf(path)
    parent.children.set(name, item)
  }
  const remove = (path: string) => {
    const [parent, name] = parentOf(path)
    if ((parent.children.get(name)?.children.size ?? 0) > 0) throw new Error(`ENOTEMPTY ${path}`)
    parent.children.delete(name)
  }
  const files = {
    readdir(path: string) {
      const item = find(path)
      return item.node_ops.readdir(item)
    },
    lstat(path: string) {
      const { kind, content, modifiedAt } = find(path)
      return { mode: modes[kind], size: content.byteLength, mtime: new Date(modifiedAt) }
    },
    isDir: (mode: number) => mode === modes.folder,
    isFile: (mode: number) => mode === modes.file,
    mkdirTree(path: string) {
      let at = ''
      for (const part of partsOf(path)) {
        const parent = find(at)
        at = `${at}/${part}`
        if (!parent.children.has(part)) put(at, newItem('folder'))
      }
    },
    rmdir: remove,
    readFile: (path: string) => find(path).content.slice(),
    writeFile: (path: string, data: Uint8Array) => put(path, newItem('file', data.slice())),
    utime(path: string, _accessedAt: number, modifiedAt: number) {
      find(path).modifiedAt = modifiedAt
    },
    lookupPath: (path: string) => ({ node: find(path) }),
    remove,
    link: (path: string) => put(path, newItem('link')),
  }
  for (const folder of ['/home/web_user', '/tmp', '/proc', '/dev', '/lib/python3.14']) files.mkdirTree(folder)
  files.writeFile('/lib/python314.zip', new Uint8Array(3))
  return files
}
