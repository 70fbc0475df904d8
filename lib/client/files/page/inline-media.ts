import { isOwnAddress } from './page-address'
import type { PageFiles } from './page-files'

/** One of the addresses of a `srcset`, with what says when it is meant: `2x`, `600w`. */
export interface SourceCandidate {
  readonly address: string
  readonly descriptor: string
}

/** As HTML reads it: an address ends at a space, or at commas that end it; a descriptor ends at the next comma. */
export function sourceCandidates(srcset: string): readonly SourceCandidate[] {
  const found: SourceCandidate[] = []
  const word = /[^\s,]\S*/g
  for (let match = word.exec(srcset); match !== null; match = word.exec(srcset)) {
    const [whole] = match
    const end = wholeWithoutCommas(whole)
    if (end < whole.length) {
      found.push({ address: whole.slice(0, end), descriptor: '' })
      continue
    }
    const comma = srcset.indexOf(',', word.lastIndex)
    const until = comma < 0 ? srcset.length : comma
    found.push({ address: whole, descriptor: srcset.slice(word.lastIndex, until).trim() })
    word.lastIndex = until
  }
  return found
}

function wholeWithoutCommas(word: string): number {
  let end = word.length
  while (word[end - 1] === ',') end--
  return end
}

export const sourceSet = (candidates: readonly SourceCandidate[]): string =>
  candidates.map(({ address, descriptor }) => `${address} ${descriptor}`.trim()).join(', ')

/** What elements load by themselves, scripts, style sheets and frames left out. */
export const mediaElements = '[src]:not(script, iframe, frame), [srcset], [poster], image, feImage'

/** Pictures, sounds and films of an element, taken in. Candidates that are not here go, so that another one is chosen. */
export async function inlineMedia(element: Element, path: string, files: PageFiles): Promise<void> {
  const own = async (address: string): Promise<string | null> => {
    if (isOwnAddress(address)) return address
    const file = await files.read(address, path)
    return file === null ? null : files.address(file)
  }
  for (const name of addressesOf(element)) {
    const address = element.getAttribute(name)
    if (address === null) continue
    const found = await own(address)
    if (found !== null) element.setAttribute(name, found)
  }
  const set = element.getAttribute('srcset')
  if (set === null) return
  const candidates: SourceCandidate[] = []
  for (const { address, descriptor } of sourceCandidates(set)) {
    const found = await own(address)
    if (found !== null) candidates.push({ address: found, descriptor })
  }
  if (candidates.length > 0) element.setAttribute('srcset', sourceSet(candidates))
  else element.removeAttribute('srcset')
}

/** SVG has another name for it. */
const addressesOf = ({ localName }: Element): readonly string[] =>
  ['image', 'feImage'].includes(localName) ? ['href', 'xlink:href'] : ['src', 'poster']
