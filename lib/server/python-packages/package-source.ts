import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { makeError } from '@/lib/i18n/t'
import { normalName } from '@/lib/sandbox/python-packages'
import { pyodideVersion } from '@/lib/sandbox/python-assets'
import { wheelLimits } from './read-wheel'

/* The sources of wheels: Pyodide's release and PyPI, or a folder or URL that the operator configures. */

/** A wheel that can be fetched. `sha256`: the hash in the index; null if it has none. */
export interface FoundWheel {
  readonly file: string
  readonly sha256: string | null
  readonly open: () => Promise<AsyncIterable<Uint8Array>>
}

export interface PackageSource {
  /** A file of Pyodide's release. */
  readonly ofPyodide: (file: string) => FoundWheel['open']
  /** The wheels of this version of a package, by their PyPI names; [] if there are none. */
  readonly ofPyPi: (name: string, version: string) => Promise<readonly FoundWheel[]>
}

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

const timeoutMs = 600_000
const pyodideRelease = `https://cdn.jsdelivr.net/pyodide/v${pyodideVersion}/full/`
const pyPiIndex = 'https://pypi.org/simple/'

const simpleIndex = z.object({
  files: z.array(z.object({ filename: z.string(), url: z.string(), hashes: z.record(z.string(), z.string()) })),
})

/** Valid file names, safe as part of a path or a URL. */
export const isWheelName = (file: string): boolean => /^[A-Za-z0-9][\w.+!-]{0,200}\.whl$/.test(file)

const notFetched = (file: string, from: string, cause: unknown) => {
  const why = cause instanceof Error ? ((cause.cause as Error | undefined)?.message ?? cause.message) : String(cause)
  return makeError('unavailable', 'python-add.not-fetched', { wheel: file, from, why }, { cause })
}

function opener(fetch: Fetch, file: string, url: string): FoundWheel['open'] {
  return async () => {
    const from = new URL(url).host
    let response: Response
    try {
      response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
    } catch (error) {
      throw notFetched(file, from, error)
    }
    if (!response.ok || response.body === null) throw notFetched(file, from, `HTTP ${response.status}`)
    return response.body
  }
}

const belongsTo = (file: string, name: string, version: string): boolean => {
  const [first = '', second] = file.split('-')
  return isWheelName(file) && normalName(first) === name && second === version
}

const folderSource = (folder: string): PackageSource => {
  const ofPyodide = (file: string) => () => Promise.resolve(createReadStream(path.join(folder, file)))
  return {
    ofPyodide,
    async ofPyPi(name, version) {
      const files = await readdir(folder)
      return files
        .filter((file) => belongsTo(file, name, version))
        .map((file) => ({ file, sha256: null, open: ofPyodide(file) }))
    },
  }
}

function addressSource(base: string, fetch: Fetch): PackageSource {
  const below = (file: string) => opener(fetch, file, new URL(encodeURIComponent(file), base).href)
  return {
    ofPyodide: below,
    async ofPyPi(name, version) {
      // Without an index, guess the name of a wheel for every platform.
      for (const tag of ['py3', 'py2.py3']) {
        const file = `${name.replaceAll('-', '_')}-${version}-${tag}-none-any.whl`
        const open = below(file)
        const body = await open().catch(() => null)
        if (body !== null) return [{ file, sha256: null, open: () => Promise.resolve(body) }]
      }
      return []
    },
  }
}

const publicSource = (fetch: Fetch): PackageSource => ({
  ofPyodide: (file) => opener(fetch, file, `${pyodideRelease}${encodeURIComponent(file)}`),
  async ofPyPi(name, version) {
    const url = `${pyPiIndex}${encodeURIComponent(name)}/`
    const accept = 'application/vnd.pypi.simple.v1+json'
    let text: string
    try {
      const response = await fetch(url, { headers: { accept }, signal: AbortSignal.timeout(timeoutMs) })
      if (response.status === 404) return []
      if (!response.ok) throw new Error(`HTTP ${response.status}`)
      text = await response.text()
    } catch (error) {
      throw notFetched(name, new URL(url).host, error)
    }
    return simpleIndex
      .parse(JSON.parse(text))
      .files.filter(({ filename }) => belongsTo(filename, name, version))
      .map(({ filename: file, url: at, hashes }) => ({
        file,
        sha256: hashes['sha256'] ?? null,
        open: opener(fetch, file, new URL(at, url).href),
      }))
  },
})

/** `from`: a folder or a URL with wheels; null: Pyodide's release and PyPI. */
export function packageSource(from: string | null, fetch: Fetch): PackageSource {
  if (from === null) return publicSource(fetch)
  return /^https?:\/\//.test(from) ? addressSource(from.endsWith('/') ? from : `${from}/`, fetch) : folderSource(from)
}

/** Fetches a whole wheel. Throws AppError if the download breaks off or is too large. */
export async function fetchWheel(file: string, open: FoundWheel['open'], from: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const piece of await open()) {
      bytes += piece.byteLength
      if (bytes > wheelLimits.fileBytes) break
      pieces.push(piece)
    }
  } catch (error) {
    throw error instanceof Error && 'reason' in error ? error : notFetched(file, from, error)
  }
  if (bytes > wheelLimits.fileBytes)
    throw makeError('bad-request', 'python-add.bad-wheel', { wheel: file, why: 'large' })
  return Buffer.concat(pieces)
}
