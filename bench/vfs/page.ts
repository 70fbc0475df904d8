import type { FileChange } from '@/lib/vfs/vfs'
import { contestants, openWorker, otherScript, ourScript, type BenchFolder } from './contestants'

// Runs in the bench's page; the runner calls it through the DevTools protocol.

/** Different bytes for each file, so that nothing is deduplicated. */
function randomBytes(size: number): Uint8Array {
  const data = new Uint8Array(size)
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(data.subarray(at, at + 65_536))
  return data
}

async function timed(body: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await body()
  return performance.now() - startedAt
}

const nameOf = (at: number) => `file-${at}.txt`
let places = 0

/** The contestants' folders in this page: they are filled in turns, a slice of each. */
const open = new Map<string, Promise<BenchFolder>>()

function placeOf(name: string): Promise<BenchFolder> {
  const contestant = contestants.find((each) => each.name === name)
  if (contestant === undefined) throw new Error(`no such contestant: ${name}`)
  const known = open.get(name) ?? contestant.open(`bench-${++places}`)
  open.set(name, known)
  return known
}

/** Milliseconds of `count` small files written one after the other, and of reading them. */
async function slice(name: string, from: number, count: number): Promise<Readonly<Record<string, number>>> {
  const place = await placeOf(name)
  const files = Array.from({ length: count }, (_, at) => [nameOf(from + at), randomBytes(1_000)] as const)
  const write = await timed(async () => {
    for (const [file, data] of files) await place.write(file, data)
  })
  const read = await timed(async () => {
    for (const [file] of files) await place.read(file)
  })
  return { write, read }
}

async function big(name: string): Promise<Readonly<Record<string, number>>> {
  const place = await placeOf(name)
  const data = randomBytes(10_000_000)
  const write = await timed(() => place.write(`big-${++places}`, data))
  const read = await timed(() => place.read(`big-${places}`))
  return { write, read }
}

/** A folder of 10,000 files: milliseconds of a list, the best of five. */
async function list(name: string): Promise<number> {
  const place = await contestants.find((each) => each.name === name)?.open(`list-${++places}`)
  if (place === undefined) throw new Error(`no such contestant: ${name}`)
  const names = Array.from({ length: 10_000 }, (_, at) => nameOf(at))
  const data = randomBytes(10)
  if (place.fill) await place.fill(names, data)
  else for (const each of names) await place.write(each, data)
  const times: number[] = []
  for (let turn = 0; turn < 5; turn++) times.push(await timed(() => place.list()))
  return Math.min(...times)
}

/** The same changes with the history on and off: the cost of a checkpoint. */
async function checkpoint(recorded: boolean, isOther = false): Promise<Readonly<Record<string, number>>> {
  const plain = openWorker(`history-${++places}`, isOther ? otherScript : ourScript)
  await plain.makeDirectory('/d')
  const view = (call: number) =>
    recorded ? plain.recording({ kind: 'call', messageId: `m${call}`, slot: 0, attempt: 0, tool: 'write_file' }) : plain
  const files = Array.from({ length: 200 }, () => randomBytes(1_000))
  const small = await timed(async () => {
    for (const [at, data] of files.entries()) await view(at).write(`/d/${nameOf(at)}`, data)
  })
  const data = randomBytes(10_000_000)
  const big10M = await timed(() => view(1_000).write('/big', data))
  let edit10M = 0
  for (let turn = 0; turn < 5; turn++) {
    data[5_000_000 + turn * 1_000] = turn
    edit10M += await timed(() => view(2_000 + turn).write('/big', data))
  }
  const { usedBytes } = await plain.history.usage()
  await plain.close()
  return { small, big10M, edit10M: edit10M / 5, historyBytes: usedBytes }
}

/** All files in Blobs: the first time in a new worker, again, and after one small file changed. */
async function snapshot(count: number, isOther = false): Promise<Readonly<Record<string, number>>> {
  const [id, script] = [`snapshot-${++places}`, isOther ? otherScript : ourScript]
  const filling = openWorker(id, script)
  const steps = Array.from({ length: count }, (_, at): FileChange => {
    return { kind: 'write', path: `/d${at % 20}/${nameOf(at)}`, data: randomBytes(2_000) }
  })
  const filled = await filling.apply(steps)
  if (!filled.ok) throw new Error(filled.error.message)
  await filling.close()
  const vfs = openWorker(id, script)
  const take = () =>
    timed(async () => {
      const taken = await vfs.snapshot()
      if (!taken.ok || taken.value.entries.length !== count + 20) throw new Error('no snapshot')
    })
  const cold = await take()
  const warm: number[] = []
  const changed: number[] = []
  for (let turn = 0; turn < 5; turn++) {
    warm.push(await take())
    await vfs.write(`/d0/${nameOf(0)}`, randomBytes(2_000))
    changed.push(await take())
  }
  await vfs.close()
  return { cold, warm: Math.min(...warm), changed: Math.min(...changed) }
}

const suite = {
  names: contestants.map(({ name, promise }) => ({ name, promise })),
  slice,
  big,
  list,
  checkpoint,
  snapshot,
}
Object.assign(globalThis, { suite })
