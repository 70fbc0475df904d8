import { createHash } from 'node:crypto'
import { access, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip as gzipCompress, zstdCompress } from 'node:zlib'

/** For larger files, Brotli's best level takes 30 s of a core, and zstd's is smaller than its second best. */
const LARGE_BYTES = 2_000_000
/** A smaller response is mostly headers. */
const LEAST_BYTES = 256
/** Saving less than this is not worth decompressing. */
const WORTH = 0.97
/** For a build that is only tested: the best level takes most of a minute. */
const isQuick = process.env.NOD_BUILD_QUICK === 'on'
/** A part of the cached files' names, which changes when anything below does. */
const SETTINGS = isQuick ? 'v1-quick' : 'v1'

const encoders = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: isQuick ? 5 : bytes.length > LARGE_BYTES ? 9 : 11,
        [constants.BROTLI_PARAM_LGWIN]: 22,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  zstd: (bytes) =>
    promisify(zstdCompress)(bytes, { params: { [constants.ZSTD_c_compressionLevel]: isQuick ? 3 : 19 } }),
  gzip: (bytes) => promisify(gzipCompress)(bytes, { level: 9 }),
}

/**
 * A file in every encoding that makes it smaller, the smallest first, written into `folder` under the hash of its
 * content. `cache` keeps earlier results, so that a small change compresses little.
 * @param {Buffer} bytes
 * @param {{ folder: string, cache: string }} places
 * @returns {Promise<import('../../lib/server/serving/asset').AssetBody[]>}
 */
export async function compressAsset(bytes, { folder, cache }) {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  const made = await Promise.all(
    Object.keys(encoders).map(async (encoding) => [encoding, await encoded(encoding, bytes, hash, cache)]),
  )
  const worth = worthKeeping(bytes.length, Object.fromEntries(made))
  const bodies = await Promise.all(
    Object.entries(worth).map(async ([encoding, body]) => {
      const file = `${hash}.${encoding}`
      await writeFile(path.join(folder, file), body)
      return { encoding, file, bytes: body.length, etag: `"${file}"` }
    }),
  )
  const plain = { encoding: 'identity', bytes: bytes.length, etag: `"${hash}"` }
  // More than half of a release's size was for clients without compression.
  if ('gzip' in worth)
    return [...bodies.toSorted((a, b) => a.bytes - b.bytes), { ...plain, file: `${hash}.gzip`, isPacked: true }]
  await writeFile(path.join(folder, hash), bytes)
  return [...bodies, { ...plain, file: hash }].toSorted((a, b) => a.bytes - b.bytes)
}

/** Almost every client with zstd also supports Brotli, so zstd is kept only if it is smaller. */
function worthKeeping(whole, { br, zstd, gzip }) {
  const isWorth = (packed, against) => whole >= LEAST_BYTES && packed.length < against * WORTH
  return {
    ...(isWorth(br, whole) && { br }),
    ...(isWorth(zstd, Math.min(whole, br.length)) && { zstd }),
    ...(isWorth(gzip, whole) && { gzip }),
  }
}

async function encoded(encoding, bytes, hash, cache) {
  const kept = path.join(cache, `${hash}.${SETTINGS}.${encoding}`)
  const known = await readFile(kept).catch(() => null)
  if (known !== null) return known
  const packed = await encoders[encoding](bytes)
  await mkdir(cache, { recursive: true })
  // Written atomically: an aborted build leaves no partial file to the next one.
  const draft = `${kept}.${process.pid}`
  await writeFile(draft, packed)
  await rename(draft, kept).catch(() => access(kept))
  return packed
}
