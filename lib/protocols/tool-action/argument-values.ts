import { readTag } from '../scan/tags'
import * as Char from '../text/source'
import type { Source } from '../text/source'
import { opensAction, readAttributeName, readWrongCloser, TAG, wordEnd, type Value } from './markup'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { isPlaceholder } from '../arguments/write-json'
import { normaliseKey, propertiesOf, shapeOf } from '../arguments/schema'
import { typesOf } from '../arguments/validate'
import { isUnsafeKey } from '../json-repair/node'
import type { Coercion, RepairCode } from '../types/segment'

/** What the reader of values needs to know about the enclosing call. */
export interface ParameterAround {
  /** Whether a name is a parameter of the tool, or `param` or `parameter`; null if the tool is unknown. */
  readonly isParameter: ((name: string) => boolean) | null
}

/** Where a value was cut off: at the next call that begins inside it, else at the end of the text. */
export interface Cut {
  readonly cut: number
  /** The closing tag at the value's end that closes a different element. */
  readonly wrongCloser?: string
}

const MAX_GUESS = 1000

/**
 * Tracks whole calls inside a value, which are examples: their markup ends nothing. A call that opens and is not closed
 * there means that the value was cut off before it.
 */
class Nesting {
  depth = 0
  firstOpener: number | null = null
  firstCloser: number | null = null

  /** Checks the `<` at `i`; `closer` means a closing tag of ours without an opener. */
  note(source: Source, i: number): 'none' | 'inner' | 'closer' {
    if (opensAction(source, i)) {
      this.depth++
      this.firstOpener ??= i
      return 'inner'
    }
    if (source.at(i + 1) !== Char.SLASH) return 'none'
    const closer = readTag(source, i, TAG, true)
    if (!closer) return 'none'
    if (this.depth > 0) {
      this.depth--
      return 'inner'
    }
    this.firstCloser ??= closer.end
    return 'closer'
  }

  cut(source: Source): Cut {
    return { cut: Math.min(this.firstOpener ?? source.text.length, this.firstCloser ?? source.text.length) }
  }
}

/**
 * The quote that ends the value of an attribute: the first of its kind after which the element, and then the call,
 * continues. Quotes and angle brackets before it are data.
 */
export function findQuote(
  source: Source,
  from: number,
  quote: number,
  element: string,
  named: boolean,
  around: ParameterAround,
): { readonly at: number; readonly guessed: boolean } | Cut {
  const nesting = new Nesting()
  let guessed = false
  for (let i = from; ; i++) {
    const unit = source.at(i)
    if (unit < 0) return nesting.cut(source)
    if (unit === Char.LESS) nesting.note(source, i)
    if (unit !== quote) continue
    if (nesting.depth === 0 && endsAttribute(source, i + 1, element, named, around)) return { at: i, guessed }
    guessed = true
  }
}

function endsAttribute(source: Source, i: number, element: string, named: boolean, around: ParameterAround): boolean {
  const at = source.skipSpace(i)
  const unit = source.at(at)
  if (unit < 0) return source.final
  if (unit === Char.SLASH) {
    if (source.at(at + 1) !== Char.GREATER) return false
    const next = source.skipSpace(at + 2)
    return source.at(next) < 0 || (source.at(next) === Char.LESS && continues(source, next, { isParameter: null }))
  }
  if (unit === Char.GREATER) {
    const next = source.skipSpace(at + 1)
    if (source.at(next) < 0) return source.final
    return (
      readTag(source, next, element, true) !== null ||
      (source.at(next) === Char.LESS && continues(source, next, around))
    )
  }
  if (named || at === i) return false
  const attribute = readAttributeName(source, at)
  return attribute?.name === 'name' && attribute.assigned
}

/** Whether the call continues at the `<` at `i`: with its end, another call, an element, a comment. */
function continues(source: Source, i: number, around: ParameterAround): boolean {
  if (source.has(i, '<!--') || opensAction(source, i)) return true
  if (source.at(i + 1) === Char.SLASH)
    return readTag(source, i, TAG, true) !== null || readWrongCloser(source, i) !== null
  const end = wordEnd(source, i + 1)
  if (end === i + 1) return false
  return around.isParameter === null || around.isParameter(source.text.slice(i + 1, end))
}

export interface TextEnd {
  readonly at: number
  readonly end: number
  readonly repair: 'missing-closer' | 'wrong-closer' | null
}

/**
 * Where the text of an element ends: at the closer after which the call continues, so that a closer inside a file is
 * data. A missing closer is assumed before the next parameter or the end of the call.
 */
export function findTextEnd(source: Source, from: number, element: string, around: ParameterAround): TextEnd | Cut {
  const nesting = new Nesting()
  let first: TextEnd | null = null
  let limit = Infinity
  let implicit: number | null = null
  for (let i = from; ; i++) {
    i = source.find('<', i)
    if (first && (i < 0 || i > limit)) return first
    if (i < 0) break
    const ours = nesting.note(source, i)
    if (ours === 'inner') continue
    if (ours === 'closer') {
      if (first) return first
      implicit ??= i
      const closer = readTag(source, i, TAG, true)
      if (closer && opensAction(source, source.skipSpace(closer.end))) break
      continue
    }
    if (nesting.depth > 0) continue
    const closed = closerOf(source, i, element)
    if (!closed) {
      const end = source.at(i + 1) === Char.SLASH ? i : wordEnd(source, i + 1)
      if (end > i + 1 && around.isParameter?.(source.text.slice(i + 1, end))) implicit ??= i
      continue
    }
    const next = source.skipSpace(closed.end)
    const unit = source.at(next)
    if (unit < 0 || (unit === Char.LESS && continues(source, next, around))) return closed
    first ??= closed
    if (unit === Char.LESS && limit === Infinity) limit = next + MAX_GUESS
  }
  if (implicit !== null && implicit < (nesting.firstOpener ?? Infinity))
    return { at: implicit, end: implicit, repair: 'missing-closer' }
  return nesting.cut(source)
}

const LITERAL = ['param', 'parameter'] as const
export const isLiteral = (name: string): boolean => LITERAL.some((one) => one === name.toLowerCase())

/** Whether the closer of one of these elements also ends the other. */
export const standsFor = (name: string, other: string): boolean => isLiteral(name) && isLiteral(other)

export function closerOf(source: Source, i: number, element: string): TextEnd | null {
  if (source.at(i + 1) !== Char.SLASH) return null
  const own = readTag(source, i, element.toLowerCase(), true)
  if (own) return { at: i, end: own.end, repair: null }
  if (!isLiteral(element)) return null
  for (const name of LITERAL) {
    const other = readTag(source, i, name, true)
    if (other) return { at: i, end: other.end, repair: 'wrong-closer' }
  }
  return null
}

/** For an unknown tool, any name may be a parameter. */
const isAny = (): boolean => true

const OTHER = /<\/param(?:eter)?\b|\bparam(?:eter)?\s{1,9}name\s{0,9}=\s{0,9}["']{0,2}([\p{L}\p{N}_.-]{1,128})/giu

/**
 * Whether a text ran on into another `<param name=…>` of the tool: one that opens in it and is not closed, or that
 * follows a closer without an opener. Whole elements are examples, and names that the tool does not know are data.
 */
export function leavesValueOpen(text: string, element: string, around: ParameterAround): boolean {
  if (!isLiteral(element)) return false
  let depth = 0
  let ended = false
  for (const [, name] of text.matchAll(OTHER)) {
    if (name === undefined) ended ||= --depth < 0
    else if (!(around.isParameter ?? isAny)(name)) continue
    else if (ended) return true
    else depth++
  }
  return depth > 0
}

/** The parameters of one call as they are read, with the repairs needed to name them. */
export class CollectedArguments implements ParameterAround {
  readonly values: Record<string, JsonValue> = Object.create(null)
  readonly repairs = new Set<RepairCode>()
  readonly coercions: Coercion[] = []
  readonly isParameter: ((name: string) => boolean) | null
  /** The first parameter whose value was copied from an example. */
  placeholder: string | null = null
  empty = true
  private readonly properties: JsonObject | null
  /** Parameters that are lists, written once per entry. */
  private readonly lists = new Map<string, JsonValue[]>()
  private readonly keys: ReadonlyMap<string, string>

  /** `parameters` is null if the tool is unknown. */
  constructor(parameters: JsonObject | null) {
    this.properties = parameters ? propertiesOf(parameters) : null
    this.keys = new Map(Object.keys(this.properties ?? {}).map((key) => [normaliseKey(key), key]))
    // Also for a tool whose arguments are one of several objects.
    const known = parameters ? shapeOf([parameters], [parameters]) : null
    this.isParameter = known ? (name) => isLiteral(name) || known.has(name) : null
  }

  add(tag: string, name: string | null, value: Value): void {
    this.empty = false
    const key = this.keyOf(tag, name)
    if (!value.literal && isPlaceholder(value.text)) this.placeholder ??= key
    if (isUnsafeKey(key)) {
      this.coercions.push({
        path: key,
        kind: 'key-dropped',
        key,
        because: 'not-allowed',
      })
      return
    }
    const before = this.values[key]
    this.values[key] = value.text
    if (before === undefined) return
    const schema = this.properties?.[key]
    if (!isJsonObject(schema) || !typesOf(schema).includes('array')) {
      this.repairs.add('duplicate-key')
      return
    }
    const list = this.lists.get(key) ?? [before]
    list.push(value.text)
    this.lists.set(key, list)
    this.values[key] = list
  }

  /** The element's name is the parameter's; for `param` it is its attribute `name`, or the only parameter. */
  private keyOf(tag: string, name: string | null): string {
    const own = this.keys.has(normaliseKey(tag))
    if (name !== null && (isLiteral(tag) || !own)) {
      if (!isLiteral(tag)) this.repairs.add('alias-key')
      return name
    }
    const only = this.keys.size === 1 ? [...this.keys.values()][0] : undefined
    if (!isLiteral(tag) || own || only === undefined) return tag
    this.repairs.add('alias-key')
    return only
  }
}
