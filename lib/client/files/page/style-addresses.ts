/*
 * The addresses in a style sheet: `url(…)`, and `@import` with the conditions after it (`layer(base) supports(display: grid)
 * screen`). Comments and strings are passed over, so that an address in them is none. One pass, linear.
 */

export interface StyleAddress {
  readonly kind: 'url' | 'import'
  readonly address: string
  /** What stands after the address of an import, up to its `;`. */
  readonly conditions: string
  readonly start: number
  /** Of an import: after its `;`. */
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

/** In order of their places. */
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

/** What an imported sheet is under the conditions of its import. */
export function underConditions(css: string, conditions: string): string {
  const [, layer, name, supports, media = ''] =
    /^(layer\b(?:\(\s*([^)]*)\))?)?\s*(?:supports\((.*?)\)(?=\s|$))?\s*([\s\S]*)$/i.exec(conditions) ?? []
  let whole = css
  if (layer !== undefined) whole = `@layer ${name ?? ''} {\n${whole}\n}`
  if (supports !== undefined) whole = `@supports ${supports.includes(':') ? `(${supports})` : supports} {\n${whole}\n}`
  return media.trim() === '' ? whole : `@media ${media.trim()} {\n${whole}\n}`
}
