import { contestants, openWorker, type Place } from './contestants'

// Runs in the page of the bench; the runner calls it through the DevTools protocol.

/** Bytes of files' own, so that nothing is stored twice. */
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

async function writeMany(place: Pick<Place, 'write'>, count: number): Promise<number> {
  const files = Array.from({ length: count }, () => randomBytes(1_000))
  return timed(async () => {
    for (const [at, data] of files.entries()) await place.write(nameOf(at), data)
  })
}

/** One round of one contestant: milliseconds by what was done. */
async function round(name: string): Promise<Readonly<Record<string, number>>> {
  const contestant = contestants.find((each) => each.name === name)
  if (contestant === undefined) throw new Error(`no such contestant: ${name}`)
  const place = await contestant.open(`bench-${++places}`)
  const write1000 = await writeMany(place, 1_000)
  const read1000 = await timed(async () => {
    for (let at = 0; at < 1_000; at++) await place.read(nameOf(at))
  })
  const big = randomBytes(10_000_000)
  const write10M = await timed(() => place.write('big', big))
  const read10M = await timed(() => place.read('big'))
  return { write1000, read1000, write10M, read10M }
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

/** The same changes with the history on and off: what a checkpoint costs. */
async function checkpoint(recorded: boolean): Promise<Readonly<Record<string, number>>> {
  const plain = openWorker(`history-${++places}`)
  await plain.makeDirectory('/d')
  const view = (call: number) =>
    recorded ? plain.recording({ kind: 'call', messageId: `m${call}`, slot: 0, attempt: 0, tool: 'write_file' }) : plain
  const files = Array.from({ length: 300 }, () => randomBytes(1_000))
  const small = await timed(async () => {
    for (const [at, data] of files.entries()) await view(at).write(`/d/${nameOf(at)}`, data)
  })
  const big = randomBytes(10_000_000)
  const big10M = await timed(() => view(1_000).write('/big', big))
  let edit10M = 0
  for (let turn = 0; turn < 5; turn++) {
    big[5_000_000 + turn * 1_000] = turn
    edit10M += await timed(() => view(2_000 + turn).write('/big', big))
  }
  const { usedBytes } = await plain.history.usage()
  await plain.close()
  return { small, big10M, edit10M: edit10M / 5, historyBytes: usedBytes }
}

const suite = { names: contestants.map(({ name, promise }) => ({ name, promise })), round, list, checkpoint }
Object.assign(globalThis, { suite })
