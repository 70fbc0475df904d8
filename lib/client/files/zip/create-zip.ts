import { loadZipLibrary, type ZipWork } from './zip-library'
import { t } from '@/lib/i18n/t'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { normalizePath, refusedName } from '@/lib/vfs/path'

export interface ZipMember {
  /** As `a/b.txt`; a path that ends with `/` is an empty folder, which is not read. Each path once. */
  readonly path: string
  /** Called when its turn comes, so that only one file is in memory. */
  readonly read: () => Promise<Uint8Array>
  /** Epoch milliseconds. */
  readonly modifiedAt: number
}

/**
 * Creates a zip of these members, in order. Rejects if `read` rejects, with the same error, and with the signal's
 * reason when aborted.
 */
export async function createZip(
  members: Iterable<ZipMember> | AsyncIterable<ZipMember>,
  { onProgress, signal }: ZipWork = {},
): Promise<Blob> {
  signal?.throwIfAborted()
  const { BlobWriter, Uint8ArrayReader, ZipWriter } = await loadZipLibrary()
  const writer = new ZipWriter(new BlobWriter('application/zip'))
  let files = 0
  let bytes = 0
  for await (const { path, read, modifiedAt } of members) {
    signal?.throwIfAborted()
    const name = path.replace(/^\/+/, '')
    const options = { lastModDate: new Date(modifiedAt), ...(signal ? { signal } : {}) }
    if (name.endsWith('/')) {
      await writer.add(name, null, { ...options, directory: true })
      continue
    }
    const data = await read()
    await writer.add(name, new Uint8ArrayReader(data), options)
    files += 1
    bytes += data.byteLength
    onProgress?.({ files, bytes })
  }
  signal?.throwIfAborted()
  return writer.close()
}

/** The meaning of a name in a zip: a path to unpack to, a reason to leave it out, or a system file to ignore. */
type MemberName =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'quiet' }

/** Files that operating systems add to zips. */
const litter = /(?:^|\/)(?:__MACOSX(?:\/|$)|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i

/** A name as the list shows it: invisible characters are replaced by marks; long names are cut. */
export function shownName(name: string): string {
  return visibleText(name.length > 120 ? `${name.slice(0, 119)}…` : name, 'name')
}

/**
 * The path of a zip's member, relative to the folder it is unpacked into, as `a/b.txt`. A name that points anywhere
 * else is refused, not corrected: it is never written by accident.
 */
export function memberName(name: string): MemberName {
  if (litter.test(name)) return { kind: 'quiet' }
  if (name.includes('\\')) return refused(t('zip.backslash'))
  if (name.startsWith('/')) return refused(t('zip.from-root'))
  if (/^[a-z]:/i.test(name)) return refused(t('zip.drive'))
  const parts = name.split('/')
  if (parts.includes('..')) return refused(t('zip.upwards'))
  const normal = normalizePath(name)
  if (!normal.ok) return refused(normal.error.message)
  const barred = refusedName(normal.value, () => false)
  if (barred) return refused(barred.error.message)
  const path = normal.value.slice(1)
  return path === '' ? refused(t('zip.no-name')) : { kind: 'path', path }
}

const refused = (why: string): MemberName => ({ kind: 'refused', why })
