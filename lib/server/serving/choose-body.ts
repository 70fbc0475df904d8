import Negotiator from 'negotiator'
import type { Asset, AssetBody } from './asset'

/** Its types are of the version before: of what is liked alike, the first of `preferred`. */
interface Preferring {
  encodings(available: string[], options?: { readonly preferred: readonly string[] }): string[]
}

/**
 * What of a file answers an `Accept-Encoding`: of what is liked best, the smallest. Who takes nothing that is there, not even
 * the file as it is, gets that: a page without its script helps nobody.
 */
export function chooseBody({ bodies }: Asset, acceptEncoding: string | undefined): AssetBody {
  const plain = bodies.find(({ encoding }) => encoding === 'identity')
  if (plain === undefined) throw new Error('An asset without its plain body.')
  const inOrder = bodies.map(({ encoding }) => encoding)
  const negotiator: Preferring = new Negotiator({ headers: { 'accept-encoding': acceptEncoding ?? '' } })
  const [liked] = negotiator.encodings(inOrder, { preferred: inOrder })
  return bodies.find(({ encoding }) => encoding === liked) ?? plain
}
