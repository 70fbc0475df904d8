import type { JsonNode } from '../json-repair/node'
import type { Crossing, Shape } from '../json-repair/json-reading'
import type { RepairCode } from '../segment'
import { swallowsStructure } from './swallowed'
import type { SwallowedAround } from './swallowed'

/** What was uncertain about a reading. */
export interface Doubts {
  /** Quotes inside texts were told from ends of texts by guessing. */
  readonly guessed: boolean
  /** A brace, or a bracket, was taken for the end of something that it does not close. */
  readonly crossed: Crossing
  readonly repairs: ReadonlySet<RepairCode>
}

/**
 * Why the arguments of a call could have been meant otherwise; null when one reading only agrees with the tool's schema.
 * Where a quote, a comma or a bracket was lost, a value may have swallowed what stood behind it, and an object may have
 * taken in, or given away, its neighbours.
 */
export function secondReading(args: JsonNode, shape: Shape | null, doubts: Doubts): string | null {
  const missing = doubts.repairs.has('missing-bracket')
  const surplus = doubts.crossed !== null || doubts.repairs.has('extra-bracket')
  const mended = SIGNS.some((code) => doubts.repairs.has(code))
  if (!doubts.guessed && !missing && !surplus && !mended) return null
  // Brackets are not added on top of a guess about quotes.
  if (doubts.guessed && missing) return QUOTES
  // `}"b":1` where `,"b":1` was said: the brace may stand in the place of the comma.
  if ((missing || surplus) && doubts.repairs.has('missing-comma')) return BRACKETS
  // One bracket lost and another one too many: an object ended where none was meant to.
  if (missing && doubts.crossed !== 'brace' && doubts.repairs.has('extra-bracket')) return BRACKETS
  return lookInto(args, shape, [], false, { guessed: doubts.guessed, missing, surplus, repairs: doubts.repairs })
}

interface Look {
  readonly guessed: boolean
  readonly missing: boolean
  readonly surplus: boolean
  readonly repairs: ReadonlySet<RepairCode>
}

/** Signs between tokens that were added. */
const SIGNS: readonly RepairCode[] = ['missing-comma', 'missing-colon', 'missing-quote']
const NOTHING: ReadonlySet<string> = new Set()
const BRACKETS = 'a bracket is missing or too many, and more than one place is possible for it'
const QUOTES = 'quotation marks inside a text are not escaped'

function lookInto(
  node: JsonNode,
  shape: Shape | null,
  around: readonly SwallowedAround[],
  inList: boolean,
  look: Look,
): string | null {
  if (node.kind === 'string')
    return node.guessed !== undefined && swallowsStructure(node.guessed, node.value, around, inList, look.repairs)
      ? QUOTES
      : null
  if (node.kind === 'array') {
    // A lost bracket of a list in a list may have stood behind any of its items.
    if (look.missing && node.items.some((item) => item.kind === 'array')) return BRACKETS
    for (const item of node.items) {
      const found = lookInto(item, shape, around, true, look)
      if (found !== null) return found
    }
    return null
  }
  if (node.kind !== 'object') return null
  const own = { shape, present: new Set(node.entries.map(({ key }) => key)), inList }
  if (own.present.size < node.entries.length) return QUOTES
  if (shape && !shape.open && node.entries.some(({ key }) => !shape.has(key))) return look.guessed ? QUOTES : BRACKETS
  // `[{,"next":1`: the brace may stand in the place of a bracket that closes.
  if (look.missing && node.opensWithComma) return BRACKETS
  const parent = inList ? undefined : around[0]
  // An object that lost its brace keeps what may belong to the object around it.
  if (look.missing && parent && node.entries.slice(node.opensWithComma ? 0 : 1).some(({ key }) => accepts(parent, key)))
    return BRACKETS
  for (const [i, { key, node: child }] of node.entries.entries()) {
    const inner = shape?.child(key, null) ?? null
    const rest = node.entries.slice(i + 1)
    // An object that was closed too early has given away what stands behind it.
    if (look.surplus && child.kind === 'object' && rest.length > 0) {
      const taken = { shape: inner, present: new Set(child.entries.map((entry) => entry.key)), inList: false }
      if (rest.every((entry) => accepts(taken, entry.key))) return BRACKETS
    }
    // `"key":"inner":1`: a text may be what is left of an object that lost its brace.
    const lost = child.kind === 'string' && inner ? [{ shape: inner, present: NOTHING, inList: false }] : []
    const found = lookInto(child, inner, [...lost, own, ...around], false, look)
    if (found !== null) return found
  }
  return null
}

/** Whether an object may have this key besides those it has. */
const accepts = ({ shape, present }: SwallowedAround, key: string): boolean =>
  !present.has(key) && (shape === null || shape.open || shape.has(key))
