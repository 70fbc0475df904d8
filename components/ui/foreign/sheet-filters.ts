/*
 * Estimates which elements the filters of a style sheet may match. Only the last part of each selector is checked, and
 * only its names, ids, classes and attributes; its parents and states are assumed to match. So the result is never
 * lower than the number of elements for which a browser draws filters.
 */

const filterFunctions = /\b(?:blur|drop-shadow)\s*\(/gi

export const filtersIn = (value: string): number => value.match(filterFunctions)?.length ?? 0

export interface MetElement {
  readonly name: string
  readonly attributes: readonly (readonly [name: string, value: string])[]
}

interface FilterRule {
  readonly filters: number
  readonly meets: (element: MetElement) => boolean
}

const everything = () => true
/** Selectors times elements; beyond this, each selector counts as matching everything. */
const maxTests = 2_000_000

/** The most filters that the sheets draw for all elements together. */
export function filtersOfSheets(sheets: readonly string[], elements: readonly MetElement[]): number {
  let sum = 0
  for (const sheet of sheets) {
    const all = filtersIn(sheet)
    if (all === 0) continue
    // What an animation may turn an element into is unknown.
    const rules = elements.some(({ name }) => name === 'set' || name === 'animate') ? null : rulesOf(sheet)
    if (rules === null || rules.length * elements.length > maxTests) {
      sum += all * elements.length
      continue
    }
    for (const { filters, meets } of rules) {
      for (const element of elements) if (meets(element)) sum += filters
    }
  }
  return sum
}

/** One for each selector. Null if it can't be parsed by simple means. */
function rulesOf(sheet: string): readonly FilterRule[] | null {
  const text = sheet.replaceAll(/\/\*[^]*?\*\//g, ' ')
  const strings = text.match(/"[^"\n]*"|'[^'\n]*'/g) ?? []
  const isPlain =
    !/[\\&]|<!|\/\*|url\([^)]*[{}]|filter\s*:[^;}]*var\(/i.test(text) &&
    !strings.some((string) => /[{};,]/.test(string)) &&
    !/["']/.test(text.replaceAll(/"[^"\n]*"|'[^'\n]*'/g, ''))
  if (!isPlain) return null
  const rules: FilterRule[] = []
  let found = 0
  // A nested rule starts after the opening brace of the outer one: `@media … { a { … } }`.
  const pieces = text.split(/([{}])/)
  for (const [at, brace] of pieces.entries()) {
    if (brace !== '{') continue
    const [head = '', body = ''] = [pieces[at - 1], pieces[at + 1]]
    const filters = filtersIn(body)
    if (filters === 0) continue
    found += filters
    for (const selector of head.slice(head.lastIndexOf(';') + 1).split(',')) {
      rules.push({ filters, meets: testOf(selector.trim()) })
    }
  }
  return found === filtersIn(text) ? rules : null
}

/** The last part of `#a .b > rect.c[d="e"]`. */
const lastPart = /(?:^|[\s>+~])((?:[.#]?[\w-]+|\[[\w-]+(?:="[^"]*")?\])+)$/
const simple = /[.#]?[\w-]+|\[[^\]]*\]/g
const frame = /^(?:from|to)$/i

function testOf(selector: string): (element: MetElement) => boolean {
  const part = lastPart.exec(selector)?.[1]
  // Anything in another notation, and an animation step, may match everything.
  if (part === undefined || frame.test(selector)) return everything
  const wanted = Array.from(part.toLowerCase().matchAll(simple), ([one]) => one)
  return ({ name, attributes }) => {
    // What its letters stand for is unknown here.
    if (attributes.some(([, value]) => value.includes('&'))) return true
    const valueOf = (key: string) => attributes.find(([other]) => other === key)?.[1].toLowerCase()
    return wanted.every((one) => {
      if (one.startsWith('.')) return (valueOf('class') ?? '').split(/\s+/).includes(one.slice(1))
      if (one.startsWith('#')) return valueOf('id') === one.slice(1)
      const attribute = /^\[([\w-]+)(?:="([^"]*)")?\]$/.exec(one)
      if (!attribute) return one === name.slice(name.lastIndexOf(':') + 1)
      const value = valueOf(attribute[1] ?? '')
      return value !== undefined && (attribute[2] === undefined || value === attribute[2])
    })
  }
}
