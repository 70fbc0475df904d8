import { isRecord } from '@/lib/base/json'
import type { StoredWeights } from '../protocol'
import { makeError } from '@/lib/i18n/t'

export interface WeightsAddress {
  readonly url: URL
  /** The file's name. */
  readonly name: string
}

/** `https://huggingface.co/a/b/blob/main/x.gguf` is a page about the file, `…/resolve/…` the file. */
const pageOfFile = /^(\/[^/]+\/[^/]+)\/blob\//

/**
 * Reads a typed address, if this server allows weights from it.
 * @param hosts sources as in a Content-Security-Policy: `https://huggingface.co`, `https://*.hf.co`,
 * `http://127.0.0.1:*`
 * @throws {AppError} `bad-request` if it is no address, `forbidden` if its host is not among them
 */
export function readWeightsAddress(text: string, hosts: readonly string[]): WeightsAddress {
  const written = text.trim()
  const whole = /^[a-z][a-z\d+.-]*:/i.test(written) && !/^[\w.-]+:\d/.test(written) ? written : `https://${written}`
  if (!/[^\s/]\.|localhost|\[/.test(written) || !URL.canParse(whole))
    throw makeError('bad-request', 'wllama.no-address')
  const url = new URL(whole)
  if (!/^https?:$/.test(url.protocol) || url.hostname === '') throw makeError('bad-request', 'wllama.no-address')
  url.hash = ''
  if (url.hostname === 'huggingface.co') url.pathname = url.pathname.replace(pageOfFile, '$1/resolve/')
  if (!hosts.some((source) => isOf(url, source))) {
    if (url.protocol === 'http:') throw makeError('bad-request', 'wllama.not-https', { host: url.host })
    const names = hosts.map((source) => source.replace(/^https:\/\//, '')).join(', ')
    throw makeError('forbidden', 'wllama.host-not-allowed', { host: url.host, hosts: names })
  }
  return { url, name: nameOf(url) }
}

function nameOf(url: URL): string {
  const last = url.pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last) || url.host
  } catch {
    return last
  }
}

/** Whether a policy with this source allows the address. */
function isOf(url: URL, source: string): boolean {
  const [, scheme = '', host = '', port = ''] = /^(https?:)\/\/(.+?)(?::(\d+|\*))?$/.exec(source) ?? []
  if (url.protocol !== scheme) return false
  const isHost = host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : url.hostname === host
  const own = url.port || (scheme === 'https:' ? '443' : '80')
  return isHost && (port === '*' || own === (port || (scheme === 'https:' ? '443' : '80')))
}

/** The hosts that a policy allows beside its own origin. */
export function hostsOfPolicy(policy: string): readonly string[] {
  const [, sources = ''] = /(?:^|;)\s*connect-src ([^;]*)/.exec(policy) ?? []
  return sources.split(/\s+/).filter((source) => /^https?:\/\//.test(source))
}

/** The storage of weights in this browser: files by name in one folder. */
export interface WeightsStore {
  names(): Promise<readonly string[]>
  /** Read in slices, not copied; null if there is none. */
  read(name: string): Promise<File | null>
  /**
   * Opens a file to append to it, and creates it if needed; it is locked until it is closed.
   * @throws {WeightsStoreBusy} it is open already, in this tab or another
   */
  append(name: string): Promise<WeightsWriter>
  remove(name: string): Promise<void>
}

export interface WeightsWriter {
  readonly bytes: number
  /** Removes the content. */
  clear(): void
  /** @throws {WeightsStoreFull} there is no space */
  write(bytes: Uint8Array<ArrayBuffer>): void
  close(): void
}

export class WeightsStoreBusy extends Error {
  override readonly name = 'WeightsStoreBusy'
}

export class WeightsStoreFull extends Error {
  override readonly name = 'WeightsStoreFull'
}

/** The browser's storage manager; browsers may lack some of these methods, or all of `navigator.storage`. */
interface StorageSpace {
  readonly persist?: () => Promise<boolean>
  readonly estimate?: () => Promise<StorageEstimate>
}

/**
 * Asks the browser not to evict stored data when space is short. Never rejects: the browser may refuse, or lack the
 * feature.
 */
export async function requestPersistence(storage: StorageSpace | null | undefined): Promise<boolean> {
  try {
    return (await storage?.persist?.()) ?? false
  } catch {
    return false
  }
}

/** Bytes that may still be stored; `null` if this browser does not say. */
export async function freeBytes(storage: StorageSpace | null | undefined): Promise<number | null> {
  const { quota, usage = 0 } = (await storage?.estimate?.()) ?? {}
  return quota === undefined ? null : Math.max(0, quota - usage)
}

/*
 * A model in the browser's storage is two files: `<id>.gguf`, and `<id>.json`, which says what it is and how long it
 * will be. The second is written first, so that an interrupted download is known, shown with its size, resumed, and
 * removed.
 */

/** The stored note about a model. */
export interface WeightsNote {
  readonly version: 1
  readonly name: string
  readonly address: string | null
  readonly bytes: number
  /** The server's ETag of this content; null if it sent none. */
  readonly etag: string | null
}

const weightsName = (id: string): string => `${id}.gguf`
const noteName = (id: string): string => `${id}.json`

function readNote(text: string): WeightsNote | null {
  let note: unknown
  try {
    note = JSON.parse(text)
  } catch {
    return null
  }
  if (!isRecord(note) || note['version'] !== 1) return null
  const { name, address, bytes, etag } = note
  if (typeof name !== 'string' || typeof bytes !== 'number') return null
  const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  return { version: 1, name, address: textOrNull(address), bytes, etag: textOrNull(etag) }
}

/** The same address, or the same picked file, has the same id: it is resumed, and never stored twice. */
export async function weightsId(source: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(source))
  return Array.from(new Uint8Array(hash).slice(0, 12), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A model's note; null if it is not stored, or the note is not readable. */
export async function noteOf(place: WeightsStore, id: string): Promise<WeightsNote | null> {
  const file = await place.read(noteName(id))
  return file === null ? null : readNote(await file.text())
}

/** @throws {WeightsStoreBusy} another tab writes it */
export async function writeNote(place: WeightsStore, id: string, note: WeightsNote): Promise<void> {
  const writer = await place.append(noteName(id))
  try {
    writer.clear()
    writer.write(new TextEncoder().encode(JSON.stringify(note)))
  } finally {
    writer.close()
  }
}

export const openWeights = (place: WeightsStore, id: string) => place.append(weightsName(id))

/** What is known of a model that is stored in full or in part; null if there is none. */
export async function storedWeightsOf(place: WeightsStore, id: string): Promise<StoredWeights | null> {
  const [note, file] = await Promise.all([noteOf(place, id), place.read(weightsName(id))])
  if (note === null && file === null) return null
  const keptBytes = file?.size ?? 0
  // Without its note it can only be removed; only its id is known.
  if (note === null) return { id, name: id, address: null, bytes: keptBytes, keptBytes, isWhole: false }
  const { name, address, bytes } = note
  return { id, name, address, bytes, keptBytes, isWhole: keptBytes === bytes }
}

/** All models that are stored in full or in part, by name. */
export async function listWeights(place: WeightsStore): Promise<readonly StoredWeights[]> {
  const ids = new Set((await place.names()).map((name) => name.replace(/\.(?:gguf|json)$/, '')))
  const all = await Promise.all([...ids].map((id) => storedWeightsOf(place, id)))
  return all.filter((each) => each !== null).toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}

/** The file, to be read in slices. Throws AppError `not-found` if it is not here, or not complete. */
export async function weightsFile(
  place: WeightsStore,
  { id, name }: Pick<StoredWeights, 'id' | 'name'>,
): Promise<File> {
  const [here, file] = await Promise.all([storedWeightsOf(place, id), place.read(weightsName(id))])
  if (file === null || here?.isWhole !== true) throw makeError('not-found', 'wllama.gone', { name })
  return file
}

/** Throws AppError `conflict` if another tab writes it. */
export async function removeWeights(
  place: WeightsStore,
  { id, name }: Pick<StoredWeights, 'id' | 'name'>,
): Promise<void> {
  try {
    await place.remove(weightsName(id))
    await place.remove(noteName(id))
  } catch (error) {
    if (error instanceof WeightsStoreBusy) throw makeError('conflict', 'wllama.busy-elsewhere', { name })
    throw error
  }
}
