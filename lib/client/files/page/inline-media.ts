import { isOwnAddress } from './page-address'
import type { PageFiles } from './page-files'

/** One address of a `srcset`, with its descriptor: `2x`, `600w`. */
export interface SourceCandidate {
  readonly address: string
  readonly descriptor: string
}

/**
 * Parses a `srcset` as HTML does: an address ends at a space, or at trailing commas; a descriptor ends at the next
 * comma.
 */
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

/** Elements that load by themselves, without scripts, style sheets and frames. */
export const mediaElements = '[src]:not(script, iframe, frame), [srcset], [poster], image, feImage'

/** Inlines an element's images, sounds and videos. Missing candidates are removed, so that another one is chosen. */
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

/** SVG uses another attribute name. */
const addressesOf = ({ localName }: Element): readonly string[] =>
  ['image', 'feImage'].includes(localName) ? ['href', 'xlink:href'] : ['src', 'poster']

/*
 * The addresses in a style sheet: `url(…)`, and `@import` with the conditions after it (`layer(base) supports(display:
 * grid) screen`). Comments and strings are skipped, so an address in them does not count. One pass, linear time.
 */

interface StyleAddress {
  readonly kind: 'url' | 'import'
  readonly address: string
  /** The text after the address of an import, up to its `;`. */
  readonly conditions: string
  readonly start: number
  /** For an import: the offset after its `;`. */
  readonly end: number
}

const string = String.raw`"((?:[^"\\\n]|\\[\s\S])*)"|'((?:[^'\\\n]|\\[\s\S])*)'`
const url = String.raw`url\(\s*(?:${string}|([^"'()\s]{0,4000}))\s*\)`
const token = new RegExp(
  [
    String.raw`\/\*[\s\S]*?(?:\*\/|$)`,
    String.raw`@import\s*(?:${url}|${string})([^;{}\n]{0,500})(?:;|$)`,
    url,
    String.raw`\\[\s\S]`,
    string,
  ].join('|'),
  'gi',
)

/** In the order of their positions. */
export function styleAddresses(css: string): readonly StyleAddress[] {
  const found: StyleAddress[] = []
  for (const match of css.matchAll(token)) {
    const [whole, a, b, c, d, e, conditions, ...rest] = match
    const kind = whole.startsWith('@') ? 'import' : /^u/i.test(whole) ? 'url' : null
    const address = kind === 'import' ? (a ?? b ?? c ?? d ?? e) : rest.slice(0, 3).find((part) => part !== undefined)
    if (kind === null || address === undefined || address === '') continue
    const start = match.index
    found.push({
      kind,
      address: unescaped(address),
      conditions: (conditions ?? '').trim(),
      start,
      end: start + whole.length,
    })
  }
  return found
}

const unescaped = (text: string): string => text.replaceAll(/\\(?:\n|([^\da-f\n]))/gi, '$1')

/** Wraps an imported sheet in the conditions of its import. */
export function underConditions(css: string, conditions: string): string {
  const [, layer, name, supports, media = ''] =
    /^(layer\b(?:\(\s*([^)]*)\))?)?\s*(?:supports\((.*?)\)(?=\s|$))?\s*([\s\S]*)$/i.exec(conditions) ?? []
  let whole = css
  if (layer !== undefined) whole = `@layer ${name ?? ''} {\n${whole}\n}`
  if (supports !== undefined) whole = `@supports ${supports.includes(':') ? `(${supports})` : supports} {\n${whole}\n}`
  return media.trim() === '' ? whole : `@media ${media.trim()} {\n${whole}\n}`
}
