import { loadZipLibrary, type ZipWork } from './zip-library'

export interface ZipMember {
  /** As `a/b.txt`; a path that ends with `/` is an empty folder, which is not read. Each path once. */
  readonly path: string
  /** Called when its turn comes, so that only one file at a time is held. */
  readonly read: () => Promise<Uint8Array>
  /** Epoch milliseconds. */
  readonly modifiedAt: number
}

/**
 * A zip of these members, in their order. Rejects with what `read` rejects with, and with the signal's reason when it is
 * aborted.
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
