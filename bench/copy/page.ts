import { createFilesCopy } from '@/lib/vfs/copy/files-copy'
import { createWorkerVfs, type VfsWorkerPort } from '@/lib/vfs/indexeddb/worker-vfs'
import { vfsLimits, type FileChange } from '@/lib/vfs/vfs'

// Runs in Chromium for `npm run bench -- copy`: files and copies as the app has them, in a worker on real IndexedDB.

const text = 'x'.repeat(2_000)
const openFiles = (copyId?: string) =>
  createWorkerVfs({
    conversationId: 'bench-copy',
    limits: vfsLimits,
    startWorker: () => new Worker('/workers/vfs.js', { type: 'module' }) as VfsWorkerPort,
    openChannel: (name) => new BroadcastChannel(name),
    ...(copyId !== undefined && { copyId }),
  })

async function need<T>(asked: Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false }>): Promise<T> {
  const answer = await asked
  if (!answer.ok) throw new Error('The files refused.')
  return answer.value
}

const base = openFiles()

async function fill(count: number): Promise<void> {
  const all = Array.from({ length: count }, (_, n): FileChange => ({
    kind: 'write',
    path: `/d${n % 50}/f${n}`,
    data: new TextEncoder().encode(`${n} ${text}`),
  }))
  await need(base.apply(all))
}

/**
 * Milliseconds until the copy is open and shows its changes, of the first read on it, until it shows the changes of 13
 * calls, and of Keep of them: 39 files.
 */
async function round(name: string) {
  const began = performance.now()
  const copy = createFilesCopy(base, openFiles(name))
  await need(copy.catchUp(['m1']))
  await need(copy.changes())
  const open = performance.now() - began
  const using = performance.now()
  await need(copy.files.read('/d1/f1'))
  const read = performance.now() - using
  for (let slot = 0; slot < 13; slot += 1) {
    const origin = { kind: 'call', messageId: 'm1', slot, attempt: 1, tool: `write_file ${name}` } as const
    const changed = [0, 1, 2].map((n): FileChange => ({
      kind: 'write',
      path: `/d${slot}/f${slot + 50 * n}`,
      data: new TextEncoder().encode(`${name} ${slot} ${text}`),
    }))
    await need(copy.files.recording(origin).apply(changed))
  }
  const looking = performance.now()
  await need(copy.catchUp(['m1']))
  await need(copy.changes())
  const show = performance.now() - looking
  const from = performance.now()
  await need(copy.keep(null))
  const keep = performance.now() - from
  await copy.files.close()
  return { open, read, show, keep }
}

Object.assign(globalThis, { suite: { fill, round } })
