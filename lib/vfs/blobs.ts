import type { NodeImage } from './vfs-history'

export type FileImage = NonNullable<NodeImage> & { readonly kind: 'file' }

/** Contents by version: equal bytes share one. `mark` tells the versions from those of other makers. */
export function createBlobs(mark = '') {
  const byVersion = new Map<string, Uint8Array>()
  const bySum = new Map<string, string[]>()
  let made = 0
  return {
    /** Takes a copy. */
    put(data: Uint8Array): FileImage {
      const sum = `${mark}${data.byteLength}-${checksum(data)}`
      const twins = bySum.get(sum) ?? []
      const known = twins.find((version) => byVersion.get(version)?.every((byte, at) => byte === data[at]))
      const version = known ?? `${sum}-${made++}`
      if (known === undefined) {
        byVersion.set(version, data.slice())
        bySum.set(sum, [...twins, version])
      }
      return { kind: 'file', size: data.byteLength, version }
    },
    /** Gives a copy. */
    get: (version: string): Uint8Array => byVersion.get(version)?.slice() ?? new Uint8Array(),
    has: (version: string): boolean => byVersion.has(version),
    bytes: (): number => [...byVersion.values()].reduce((sum, { byteLength }) => sum + byteLength, 0),
    /** Drops all other contents. */
    keepOnly(versions: ReadonlySet<string>): void {
      for (const version of byVersion.keys()) if (!versions.has(version)) byVersion.delete(version)
      for (const [sum, twins] of bySum) {
        const left = twins.filter((version) => byVersion.has(version))
        if (left.length === 0) bySum.delete(sum)
        else bySum.set(sum, left)
      }
    },
  }
}

/** FNV-1a: only to find twins, which are then compared byte by byte. */
function checksum(data: Uint8Array): string {
  let sum = 0x811c9dc5
  for (const byte of data) sum = Math.imul(sum ^ byte, 0x01000193) >>> 0
  return sum.toString(36)
}
