import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { withBase, builtFile } from '@/lib/base/base-path'
import { allPackages, hashOfWheel, packageListAsset, shippedPackages, type PythonPackage } from './python-packages'
import { pythonAssets } from './python-assets'
import { isCMapAsset, readerAssets } from './document-assets'

/*
 * Python packages as assets of a run. Wheels that Nod ships are next to the other libraries; the operator's come from
 * the server's data folder. Both have URLs with their SHA-256, so browsers can cache them, and the bytes are verified
 * here.
 */

/** The answer of `GET /api/python`. */
export interface PythonPackagesResponse {
  readonly packages: readonly PythonPackage[]
}

export const isPackageAsset = (name: string): boolean => name === packageListAsset || hashOfWheel(name) !== null

const shippedHashes: ReadonlySet<string> = new Set(shippedPackages.map((each) => each.sha256))

const addressOf = (hash: string): string =>
  withBase(shippedHashes.has(hash) ? `/sandbox-libs/wheel-${hash}.whl` : `/api/python/${hash}`)

/** Without a secure context there is no `subtle`, and the hash is computed in JavaScript. */
async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto }
  return bytesToHex(subtle === undefined ? sha256(bytes) : new Uint8Array(await subtle.digest('SHA-256', bytes)))
}

/**
 * Loads the list of packages, and wheels by their hash. If the server returns no list, only the packages that Nod ships
 * are available.
 */
export function packageAssets(
  fetch: (url: string) => Promise<Response>,
): (name: string) => Promise<Uint8Array<ArrayBuffer>> {
  async function loadList(): Promise<Uint8Array<ArrayBuffer>> {
    const response = await fetch(withBase('/api/python')).catch(() => null)
    const added = response?.ok ? ((await response.json()) as PythonPackagesResponse).packages : []
    return new TextEncoder().encode(JSON.stringify(allPackages(added)))
  }

  return async (name) => {
    const hash = hashOfWheel(name)
    if (hash === null) return loadList()
    const response = await fetch(addressOf(hash))
    if (!response.ok) throw new Error(`${name} could not be loaded: ${response.status}`)
    const bytes = new Uint8Array(await response.arrayBuffer())
    if ((await hashOf(bytes)) !== hash) throw new Error(`${name} has other bytes than its name says`)
    return bytes
  }
}

/**
 * The files that sandboxed code may load from the app's own origin: libraries and the tools that prepare its code. Each
 * is a file of public/sandbox-libs, bundled from the file with that name in `libraries/` or copied from Pyodide or
 * pdf.js. The code asks by name, so nothing outside this list is ever fetched for it.
 */
export const sandboxAssets: readonly string[] = [
  'papaparse.js',
  'simple-statistics.js',
  'date-fns.js',
  'vega.js',
  'modules.js',
  'zenfs.js',
  'node.js',
  ...Object.values(pythonAssets),
  ...Object.values(readerAssets),
]

const known: ReadonlySet<string> = new Set(sandboxAssets)

export const isSandboxAsset = (name: string): boolean => known.has(name) || isCMapAsset(name) || isPackageAsset(name)

/**
 * Loads the bytes of an asset by its name; `onBytes` reports progress. Rejects on failure; the next call then tries
 * again.
 */
export type LoadAsset = (name: string, onBytes?: (loaded: number) => void) => Promise<Uint8Array<ArrayBuffer>>

/** Caches loaded assets for the lifetime of the page; concurrent calls share one load. */
export function createAssetCache(load: LoadAsset): LoadAsset {
  const cached = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()
  return (name) => {
    const before = cached.get(name)
    if (before !== undefined) return before
    const loading = load(name)
    cached.set(name, loading)
    loading.catch(() => cached.delete(name))
    return loading
  }
}

/**
 * Loads assets from public/sandbox-libs, and reports progress. Packages that the operator added come from the server’s
 * data.
 */
export const fetchAsset =
  (fetch: (url: string) => Promise<Response>): LoadAsset =>
  async (name, onBytes) => {
    if (isPackageAsset(name)) return packageAssets(fetch)(name)
    const response = await fetch(builtFile(`/sandbox-libs/${encodeURIComponent(name)}`))
    if (!response.ok) throw new Error(`${name} could not be loaded: ${response.status}`)
    if (onBytes === undefined || response.body === null) return new Uint8Array(await response.arrayBuffer())
    const parts: Uint8Array[] = []
    let loaded = 0
    const reader = response.body.getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value)
      loaded += part.value.byteLength
      onBytes(loaded)
    }
    const whole = new Uint8Array(loaded)
    let at = 0
    for (const part of parts) {
      whole.set(part, at)
      at += part.byteLength
    }
    return whole
  }
