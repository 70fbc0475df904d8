import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { withBase } from '@/lib/base/base-path'
import { allPackages, hashOfWheel, packageListAsset, shippedPackages, type PythonPackage } from './python-packages'

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
