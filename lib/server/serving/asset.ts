import Negotiator from 'negotiator'

/** The build decides which encodings exist: one that made a file larger is left out. */
export type AssetEncoding = 'identity' | 'br' | 'zstd' | 'gzip'

/** One encoding of a file. */
export interface AssetBody {
  readonly encoding: AssetEncoding
  /** Its file name in the assets folder. */
  readonly file: string
  /**
   * The file is stored with gzip and decompressed while it is sent, because hardly any client needs it uncompressed.
   */
  readonly isPacked?: true
  /** Of the sent body. */
  readonly bytes: number
  /** A strong tag with its quotes; each encoding has its own, because their bytes differ. */
  readonly etag: string
}

/** A static file, served under one path. */
export interface Asset {
  /** Content-Type and the other headers, the same for all encodings. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The smallest first; includes `identity`. */
  readonly bodies: readonly AssetBody[]
  /**
   * Its headers depend on the server's settings, so it is never cached permanently, even with the version in its URL.
   */
  readonly isSettled?: false
}

/** The build's output for the server: every file by its path, `/_next/static/…` and those of `public`. */
export type AssetManifest = Readonly<Record<string, Asset>>

/** First and last byte, both inclusive. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/**
 * Parses a `Range` header. `whole`: none, several, or an unsupported range, which may all be answered with the whole
 * file; `none`: the range does not exist.
 */
export function readRange(header: string | undefined, bytes: number): ByteRange | 'whole' | 'none' {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return 'whole'
  if (from === '') {
    const length = Math.min(Number(to), bytes)
    return length === 0 ? 'none' : { first: bytes - length, last: bytes - 1 }
  }
  const first = Number(from)
  const last = to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)
  if (to !== '' && Number(to) < first) return 'whole'
  return first >= bytes ? 'none' : { first, last }
}

/** The library's types are for an earlier version: among equally accepted values, the first of `preferred` wins. */
interface Preferring {
  encodings(available: string[], options?: { readonly preferred: readonly string[] }): string[]
}

/**
 * Chooses the body for an `Accept-Encoding` header: the smallest of the most preferred. A client that accepts none, not
 * even the plain file, still gets that, because a page without its script is useless.
 */
export function chooseBody({ bodies }: Asset, acceptEncoding: string | undefined): AssetBody {
  const plain = bodies.find(({ encoding }) => encoding === 'identity')
  if (plain === undefined) throw new Error('An asset without its plain body.')
  const inOrder = bodies.map(({ encoding }) => encoding)
  const negotiator: Preferring = new Negotiator({ headers: { 'accept-encoding': acceptEncoding ?? '' } })
  const [liked] = negotiator.encodings(inOrder, { preferred: inOrder })
  return bodies.find(({ encoding }) => encoding === liked) ?? plain
}
