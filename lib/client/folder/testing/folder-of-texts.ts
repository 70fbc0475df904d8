import { ok } from '@/lib/base/result'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { Vfs } from '@/lib/vfs/vfs'
import { compareFolder, type FolderComparison } from '../compare'
import { createDisk } from '../disk'
import type { BaseFile, FolderLink, FolderStore, Journal } from '../folder-store'
import { scanFolder } from '../scan'
import { linkFolder } from '../take-in'
import { createFakeDisk, type FakeDisk } from './fake-disk'

/** The browser's store, in memory. `onStep` is called before each step and may throw. */
export function createMemoryFolderStore(onStep: () => void = () => undefined): FolderStore {
  const links = new Map<string, FolderLink>()
  const bases = new Map<string, Map<string, BaseFile>>()
  const journals = new Map<string, Journal>()
  const step = async () => {
    await Promise.resolve()
    onStep()
  }
  return {
    async links(conversationId) {
      await step()
      return [...links.values()].filter((link) => link.conversationId === conversationId)
    },
    async base(link) {
      await step()
      return [...(bases.get(link)?.values() ?? [])]
    },
    async journal(link) {
      await step()
      return journals.get(link) ?? null
    },
    async add(link, base) {
      await step()
      links.set(link.id, link)
      bases.set(link.id, new Map(base.map((file) => [file.path, file])))
    },
    async update(link, { put = [], remove = [], journal }) {
      await step()
      const base = bases.get(link)
      for (const path of remove) base?.delete(path)
      for (const file of put) base?.set(file.path, file)
      if (journal === null) journals.delete(link)
      else if (journal) journals.set(link, journal)
    },
    async remove(link) {
      await step()
      links.delete(link)
      bases.delete(link)
      journals.delete(link)
    },
  }
}

export interface LinkedFolder {
  readonly disk: FakeDisk
  readonly vfs: Vfs
  readonly store: FolderStore
  readonly link: FolderLink
  readonly write: (path: string, text: string) => Promise<void>
  readonly remove: (path: string) => Promise<void>
  readonly compare: () => Promise<FolderComparison>
  /** The copy's files, by relative path. */
  readonly copy: () => Promise<Readonly<Record<string, string>>>
}

/** A linked folder that contains these texts. */
export async function linkedFolder(
  texts: Readonly<Record<string, string>>,
  store: FolderStore = createMemoryFolderStore(),
): Promise<LinkedFolder> {
  const disk = createFakeDisk('proj')
  for (const [path, text] of Object.entries(texts)) disk.put(path, text)
  let time = 1
  const vfs = createMemoryVfs({ now: () => time++ })
  const files = vfs.recording({ kind: 'user', action: 'linked', messageId: null })
  const made = await linkFolder(disk.handle, await scanFolder(disk.handle), {
    vfs: files,
    store,
    conversationId: 'c',
    newId: () => 'l',
  })
  if (!made.ok || !made.link) throw new Error('not linked')
  const { link } = made
  const at = (path: string) => `${link.root}/${path}`
  const must = async (result: Promise<{ readonly ok: boolean }>) => {
    if (!(await result).ok) throw new Error('the files refused a change')
  }
  return {
    disk,
    vfs: files,
    store,
    link,
    write: (path, text) => must(files.write(at(path), new TextEncoder().encode(text))),
    remove: (path) => must(files.remove(at(path))),
    compare: async () =>
      compareFolder({ vfs, root: link.root, disk: createDisk(disk.handle), base: await store.base(link.id) }),
    async copy() {
      const tree = await vfs.tree(link.root)
      const found: [string, string][] = []
      for (const { path, kind } of tree.ok ? tree.value : []) {
        if (kind === 'directory') continue
        const read = await vfs.read(path)
        found.push([
          path.slice(link.root.length + 1),
          new TextDecoder().decode((read.ok ? read : ok(new Uint8Array())).value),
        ])
      }
      return Object.fromEntries(found)
    },
  }
}
