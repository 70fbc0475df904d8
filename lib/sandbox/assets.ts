import { isCMapAsset, readerAssets } from './document-assets'
import { isPackageAsset, packageAssets } from './package-assets'
import { pythonAssets } from './python-assets'
import { builtFile } from '@/lib/base/base-path'

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
