import Negotiator from 'negotiator'

/** Smallest first is decided by the build, not here: an encoding that made a file larger is left out. */
export type AssetEncoding = 'identity' | 'br' | 'zstd' | 'gzip'

/** One way in which a file is sent. */
export interface AssetBody {
  readonly encoding: AssetEncoding
  /** Its name in the folder of the assets. */
  readonly file: string
  /** The file lies there packed by gzip and is unpacked while it is sent: hardly anyone asks for it as it is. */
  readonly isPacked?: true
  /** Of what is sent. */
  readonly bytes: number
  /** Strong, with its quotes: each encoding has its own, since their bytes differ. */
  readonly etag: string
}

/** A file that browsers are served as it is, under one path. */
export interface Asset {
  /** Content-Type, and what else is said of it, whatever is sent of it. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The smallest first; `identity` is among them. */
  readonly bodies: readonly AssetBody[]
  /** What is said of it follows the settings of the server: no one keeps it for good, whatever it was asked by. */
  readonly isSettled?: false
}

/** What the build leaves for the server: every file by its path, `/_next/static/…` and those of `public`. */
export type AssetManifest = Readonly<Record<string, Asset>>

/** First and last byte, both of them included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/**
 * The part that a `Range` header asks for. `whole`: none, several, or nothing that we understand, all of which may be answered
 * with everything; `none`: a part that does not exist.
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

/** Its types are of the version before: of what is liked alike, the first of `preferred`. */
interface Preferring {
  encodings(available: string[], options?: { readonly preferred: readonly string[] }): string[]
}

/**
 * What of a file answers an `Accept-Encoding`: of what is liked best, the smallest. Who takes nothing that is there, not even
 * the file as it is, gets that: a page without its script helps no one.
 */
export function chooseBody({ bodies }: Asset, acceptEncoding: string | undefined): AssetBody {
  const plain = bodies.find(({ encoding }) => encoding === 'identity')
  if (plain === undefined) throw new Error('An asset without its plain body.')
  const inOrder = bodies.map(({ encoding }) => encoding)
  const negotiator: Preferring = new Negotiator({ headers: { 'accept-encoding': acceptEncoding ?? '' } })
  const [liked] = negotiator.encodings(inOrder, { preferred: inOrder })
  return bodies.find(({ encoding }) => encoding === liked) ?? plain
}
