import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { createFilesCopy } from '@/lib/vfs/copy/files-copy'
import { createIndexedDbVfs } from '@/lib/vfs/indexeddb/indexeddb-vfs'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { FileChange, Vfs } from '@/lib/vfs/vfs'
import { measureInChromium } from './copy/in-chromium'

// npm run bench -- copy: a copy of a chat's 5,000 files of 2 kB: the time until it is open and shows its changes, its
// memory, and Keep of 13 calls that changed 39 files. Runs on files in memory, on the browser's storage over a fake
// IndexedDB, whose own time is included, and in Chromium, where files are as the app has them. Medians of 9, milliseconds
// of wall time; memory is the maximum of 9. Exits with 1 if opening takes more than 100 ms, or 10 MB in memory.

const FILES = Number(process.argv[2] ?? 5_000)
const ROUNDS = 9
const limits = { openMs: 100, bytes: 10_000_000 }

Object.assign(globalThis, { IDBKeyRange })
setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void
const heap = (): number => {
  gc()
  return process.memoryUsage().heapUsed
}

const text = 'x'.repeat(2_000)
const contents = (n: number) => new TextEncoder().encode(`${n} ${text}`)

interface Backend {
  readonly name: string
  readonly base: Vfs
  readonly openCopy: (id: string) => Vfs
}

function backends(): readonly Backend[] {
  const memory = createMemoryVfs()
  const ports = {
    conversationId: 'c',
    indexedDB: new IDBFactory(),
    now: () => 0,
    announce: () => {},
    watch: () => () => {},
  }
  return [
    { name: 'memory', base: memory, openCopy: () => createMemoryVfs({ copyOf: memory }) },
    {
      name: 'IndexedDB stand-in',
      base: createIndexedDbVfs(ports),
      openCopy: (copyId) => createIndexedDbVfs({ ...ports, copyId }),
    },
  ]
}

async function need<T>(asked: Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false }>): Promise<T> {
  const answer = await asked
  if (!answer.ok) throw new Error('The files refused.')
  return answer.value
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

async function measure({ base, openCopy }: Backend) {
  const all = Array.from({ length: FILES }, (_, n): FileChange => ({
    kind: 'write',
    path: `/d${n % 50}/f${n}`,
    data: contents(n),
  }))
  await need(base.apply(all))
  const opens: number[] = []
  const keeps: number[] = []
  const sizes: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = heap()
    let copy = createFilesCopy(base, base)
    opens.push(
      await timed(async () => {
        copy = createFilesCopy(base, openCopy(`g${round}`))
        await need(copy.catchUp(['m1']))
        await need(copy.changes())
      }),
    )
    sizes.push(heap() - before)
    for (let slot = 0; slot < 13; slot += 1) {
      const origin = { kind: 'call', messageId: 'm1', slot: round * 13 + slot, attempt: 1, tool: 'write_file' } as const
      const changed = all.slice(slot * 3, slot * 3 + 3).map((one): FileChange => ({
        ...one,
        ...(one.kind === 'write' && { data: contents(FILES * (round + 1) + slot) }),
      }))
      await need(copy.files.recording(origin).apply(changed))
    }
    keeps.push(await timed(() => need(copy.keep(null))))
    await copy.files.close()
  }
  return { open: median(opens), bytes: Math.max(...sizes), keep: median(keeps) }
}

console.log(`A copy of ${FILES} files of 2 kB:\n`)
for (const backend of backends()) {
  const { open, bytes, keep } = await measure(backend)
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`
  console.log(`${backend.name}: open ${open.toFixed(0)} ms, ${size}; Keep of 13 calls ${keep.toFixed(0)} ms`)
  if (backend.name === 'memory' && (open > limits.openMs || bytes > limits.bytes)) process.exitCode = 1
}
const shown = await measureInChromium(FILES, ROUNDS)
const of = (what: keyof (typeof shown)[number]) => median(shown.map((one) => one[what])).toFixed(0)
console.log(
  `Chromium: open ${of('open')} ms; first read ${of('read')} ms; show 13 calls ${of('show')} ms; Keep of them ${of('keep')} ms`,
)
if (Number(of('open')) > limits.openMs) process.exitCode = 1
