import { AppError } from '@/lib/base/app-error'
import { makeError } from '@/lib/i18n/t'
import type { StoredWeights, WeightsSeen } from '../protocol'
import { minMemory, PAGE_MEMORY_BYTES, checkWeights, notGguf } from './memory'
import {
  storedWeightsOf,
  noteOf,
  openWeights,
  removeWeights,
  weightsId,
  writeNote,
  WeightsStoreBusy,
  WeightsStoreFull,
  type WeightsStore,
  type WeightsWriter,
  readWeightsAddress,
  type WeightsAddress,
} from './weights-store'

export interface FetchPorts {
  readonly fetch: (address: string, init: RequestInit) => Promise<Response>
  readonly place: WeightsStore
  /** Sources of the worker's policy. */
  readonly hosts: readonly string[]
  /** Bytes that the browser still has for this page; null if it does not say. */
  readonly free: () => Promise<number | null>
}

export type OnBytes = (done: number, total: number) => void

/** Enough to know what the file is. */
const START_BYTES = 4096
/** Reserved for chats and their files, which share the browser's storage. */
const SPARE_BYTES = 64 * 1024 * 1024

interface Seen extends WeightsAddress {
  readonly bytes: number
  readonly etag: string | null
}

/**
 * Checks the file at an address without downloading it: its size, and whether it begins as a model.
 * @throws {AppError} with the reason why it is not available
 */
export async function inspectWeights(ports: FetchPorts, text: string, signal: AbortSignal): Promise<WeightsSeen> {
  const { url, name, bytes } = await see(ports, text, signal)
  const here = await storedWeightsOf(ports.place, await weightsId(url.href))
  if (here?.isWhole !== true) await requireSpace(ports, bytes - Math.min(bytes, here?.keptBytes ?? 0))
  return { name, address: url.href, bytes, keptBytes: here?.keptBytes ?? 0 }
}

/**
 * Downloads weights into the browser's storage, and resumes an interrupted download. Downloaded bytes are kept when the
 * signal or the network ends it.
 * @throws {AppError} with the reason; the signal's own when aborted
 */
export async function fetchWeights(
  ports: FetchPorts,
  text: string,
  onBytes: OnBytes,
  signal: AbortSignal,
): Promise<StoredWeights> {
  const { place } = ports
  const seen = await see(ports, text, signal)
  const { url, name, bytes, etag } = seen
  const id = await weightsId(url.href)
  const writer = await openWeights(place, id).catch((error: unknown) => {
    throw error instanceof WeightsStoreBusy ? makeError('conflict', 'wllama.busy-elsewhere', { name }) : error
  })
  let isFull = false
  try {
    const before = await noteOf(place, id)
    const isSame = before?.bytes === bytes && before.etag === etag
    if (!isSame || writer.bytes > bytes) writer.clear()
    await requireSpace(ports, bytes - writer.bytes)
    await writeNote(place, id, { version: 1, name, address: url.href, bytes, etag })
    if (writer.bytes < bytes) await fetchInto(ports, writer, seen, onBytes, signal)
  } catch (error) {
    isFull = error instanceof WeightsStoreFull
    if (!isFull) throw error
  } finally {
    writer.close()
  }
  // Half of a model that will never fit only takes the space of chats.
  if (isFull)
    return dropAndThrow(
      place,
      id,
      makeError('storage-full', 'wllama.no-room', { needs: bytes, free: await freeBelow(ports, bytes) }),
      name,
    )
  const here = await storedWeightsOf(place, id)
  const file = await place.read(`${id}.gguf`)
  if (here === null || file === null) throw makeError('not-found', 'wllama.gone', { name })
  const checked = await checkWeights(file, name)
  return checked instanceof AppError ? dropAndThrow(place, id, checked, name) : here
}

/** Copies a picked file into the browser's storage, so that it is available after a reload. */
export async function storeFile(
  { place, free }: Pick<FetchPorts, 'place' | 'free'>,
  file: File,
  onBytes: OnBytes,
  signal: AbortSignal,
): Promise<StoredWeights> {
  const { name, size: bytes } = file
  failIfTooLarge(name, bytes)
  const checked = await checkWeights(file, name)
  if (checked instanceof AppError) throw checked
  const id = await weightsId(`${name}\n${bytes}\n${file.lastModified}`)
  const writer = await openWeights(place, id).catch((error: unknown) => {
    throw error instanceof WeightsStoreBusy ? makeError('conflict', 'wllama.busy-elsewhere', { name }) : error
  })
  let refused: AppError | null = null
  try {
    await requireSpace({ free }, bytes - writer.bytes)
    await writeNote(place, id, { version: 1, name, address: null, bytes, etag: null })
    await pump(file.slice(writer.bytes).stream(), writer, bytes, onBytes, signal)
  } catch (error) {
    if (!(error instanceof WeightsStoreFull)) throw error
    refused = makeError('storage-full', 'wllama.no-room', { needs: bytes, free: await freeBelow({ free }, bytes) })
  } finally {
    writer.close()
  }
  if (refused !== null) return dropAndThrow(place, id, refused, name)
  const here = await storedWeightsOf(place, id)
  if (here === null) throw makeError('not-found', 'wllama.gone', { name })
  return here
}

async function dropAndThrow(place: WeightsStore, id: string, error: AppError, name: string): Promise<never> {
  await removeWeights(place, { id, name }).catch(() => {})
  throw error
}

/**
 * The remaining space, if that explains the failure: browsers that hide the size of the disk report 10 GB to all pages.
 */
async function freeBelow({ free }: Pick<FetchPorts, 'free'>, needs: number): Promise<number | null> {
  const left = await free()
  return left !== null && left < needs ? left : null
}

async function requireSpace({ free }: Pick<FetchPorts, 'free'>, needs: number): Promise<void> {
  const left = await free()
  if (left !== null && needs + SPARE_BYTES > left)
    throw makeError('storage-full', 'wllama.no-room', { needs, free: left })
}

const ask = async ({ fetch }: FetchPorts, { url }: WeightsAddress, init: RequestInit): Promise<Response> => {
  try {
    return await fetch(url.href, { ...init, credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' })
  } catch (error) {
    init.signal?.throwIfAborted()
    throw makeError('unavailable', 'wllama.unreachable', { host: url.host }, { cause: error })
  }
}

/** Requests the first bytes as a range: the response tells how long the whole file is. */
async function see(ports: FetchPorts, text: string, signal: AbortSignal): Promise<Seen> {
  const at = readWeightsAddress(text, ports.hosts)
  const { host } = at.url
  const answer = await ask(ports, at, { headers: { range: `bytes=0-${START_BYTES - 1}` }, signal })
  if (!answer.ok) {
    await answer.body?.cancel()
    throw makeError('not-found', 'wllama.refused', { host, status: answer.status })
  }
  const start = await firstBytes(answer)
  if ((await start.slice(0, 4).text()) !== 'GGUF') throw await notGguf(start, at.name)
  const bytes = wholeLength(answer) ?? (await askLength(ports, at, signal))
  if (bytes === null) throw makeError('unavailable', 'wllama.no-size', { host })
  failIfTooLarge(at.name, bytes)
  return { ...at, bytes, etag: answer.headers.get('etag') }
}

/** A file that does not fit into a page's memory is not downloaded or copied, however much storage there is. */
function failIfTooLarge(name: string, fileBytes: number): void {
  const needs = minMemory(fileBytes)
  if (needs > PAGE_MEMORY_BYTES)
    throw makeError('too-large', 'wllama.too-large', { name, needs, most: PAGE_MEMORY_BYTES })
}

const numberIn = (text: string | null | undefined): number | null =>
  text && /^\d+$/.test(text) && Number(text) > 0 ? Number(text) : null

const wholeLength = ({ status, headers }: Response): number | null =>
  status === 206 ? numberIn(headers.get('content-range')?.split('/')[1]) : numberIn(headers.get('content-length'))

/** Servers that hide `Content-Range` from pages may show them the length. */
async function askLength(ports: FetchPorts, at: WeightsAddress, signal: AbortSignal): Promise<number | null> {
  const answer = await ask(ports, at, { method: 'HEAD', signal })
  return answer.ok ? numberIn(answer.headers.get('content-length')) : null
}

/** Also for a server that sends the whole when it is asked for a range. */
async function firstBytes({ body }: Response): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  if (body === null) return new Blob()
  const reader = body.getReader()
  while (length < START_BYTES) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value)
    length += value.length
  }
  await reader.cancel()
  return new Blob(parts).slice(0, START_BYTES)
}

async function fetchInto(
  ports: FetchPorts,
  writer: WeightsWriter,
  { bytes, ...at }: Seen,
  onBytes: OnBytes,
  signal: AbortSignal,
): Promise<void> {
  const from = writer.bytes
  const answer = await ask(ports, at, { signal, ...(from > 0 && { headers: { range: `bytes=${from}-` } }) })
  if (!answer.ok || answer.body === null) {
    throw makeError('not-found', 'wllama.refused', { host: at.url.host, status: answer.status })
  }
  // The whole file, although a range was requested.
  if (answer.status !== 206) writer.clear()
  await pump(answer.body, writer, bytes, onBytes, signal)
}

/** @throws {AppError} `unavailable` if fewer bytes come than expected; they are kept */
async function pump(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  writer: WeightsWriter,
  total: number,
  onBytes: OnBytes,
  signal: AbortSignal,
): Promise<void> {
  const reader = body.getReader()
  const stop = () => void reader.cancel(signal.reason).catch(() => {})
  signal.addEventListener('abort', stop)
  try {
    onBytes(writer.bytes, total)
    for (;;) {
      const part = await reader.read().catch((cause: unknown) => {
        signal.throwIfAborted()
        throw makeError('unavailable', 'wllama.cut-off', { got: writer.bytes, total }, { cause })
      })
      signal.throwIfAborted()
      if (part.done) break
      // If more bytes come than announced, it can't be the same file.
      writer.write(part.value.subarray(0, total - writer.bytes))
      onBytes(writer.bytes, total)
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
  if (writer.bytes < total) throw makeError('unavailable', 'wllama.cut-off', { got: writer.bytes, total })
}
