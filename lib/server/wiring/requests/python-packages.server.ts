import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { makeError } from '@/lib/i18n/t'
import type { PythonPackagesResponse } from '@/lib/sandbox/assets'
import { packageFolder, watchPackages, wheelPath, type AddedPackage } from '@/lib/server/python-packages/package-folder'
import { settingsOrThrow } from '../settings.server'
import { dataDirectory } from './owners.server'

/* The Python packages that the operator added, as served by this process. */

let watched: { readonly folder: string; readonly read: () => readonly AddedPackage[] } | null = null

export function addedPackages(): readonly AddedPackage[] {
  const folder = packageFolder(dataDirectory(settingsOrThrow()))
  if (watched?.folder !== folder) watched = { folder, read: watchPackages(folder) }
  return watched.read()
}

/** What pages need of each package; the licenses have their own page. */
export const listedPackages = (): PythonPackagesResponse => ({
  packages: addedPackages().map(({ licenceText: _licenceText, isNamed: _isNamed, ...each }) => each),
})

/** The wheel with this hash. Throws AppError `not-found` for any text that is not the hash of an added package. */
export function wheelResponse(hash: string): Response {
  const found = addedPackages().find((each) => each.sha256 === hash)
  if (found === undefined) throw makeError('not-found', 'server.no-python-package')
  const file = createReadStream(wheelPath(packageFolder(dataDirectory(settingsOrThrow())), found.sha256))
  return new Response(Readable.toWeb(file) as ReadableStream<Uint8Array>, {
    headers: {
      // The URL contains the hash of the bytes.
      'cache-control': 'private, max-age=31536000, immutable',
      'content-type': 'application/zip',
      'content-length': String(found.bytes),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  })
}
