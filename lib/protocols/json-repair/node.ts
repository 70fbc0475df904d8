import type { JsonValue } from '@/lib/base/json'

/** A JSON value with its position in the text; `closed` is false if the text failed or ended inside it. */
export type JsonNode = ObjectNode | ArrayNode | StringNode | NumberNode | LiteralNode

interface TextRange {
  readonly start: number
  end: number
}

export interface Entry {
  readonly key: string
  /** The key was written with an escape: it is not markup, whatever its text. */
  readonly escaped: boolean
  readonly node: JsonNode
}

export interface ObjectNode extends TextRange {
  readonly kind: 'object'
  readonly entries: Entry[]
  closed: boolean
  /** A comma precedes its first entry: a brace may have closed it there. */
  opensWithComma?: true
  /** Something was left out with `...`. */
  elided: boolean
}

export interface ArrayNode extends TextRange {
  readonly kind: 'array'
  readonly items: JsonNode[]
  closed: boolean
  elided: boolean
}

export interface StringNode extends TextRange {
  readonly kind: 'string'
  value: string
  /** Written with an escape: `...` or `$PARAM` was then meant literally. */
  escaped: boolean
  closed: boolean
  /** Set if quotes inside were taken as part of the text by guessing: the text as written, with escapes masked. */
  guessed?: string
}

export interface NumberNode extends TextRange {
  readonly kind: 'number'
  readonly raw: string
  /** Its characters as written in the reply (`0789`, `+1_000`), for parameters that are strings. */
  readonly written: string
  readonly value: number
  readonly closed: true
}

export interface LiteralNode extends TextRange {
  readonly kind: 'literal'
  readonly value: boolean | null
  readonly closed: true
}

/** Creates nodes for values that a reply writes in markup other than JSON. */
export const textNode = (value: string, start = 0, end = start): StringNode => ({
  kind: 'string',
  start,
  end,
  value,
  escaped: false,
  closed: true,
})
export const objectNode = (entries: Entry[] = [], start = 0, end = start): ObjectNode => ({
  kind: 'object',
  start,
  end,
  entries,
  closed: true,
  elided: false,
})
export const entryFor = (key: string, node: JsonNode): Entry => ({ key, escaped: false, node })

const UNSAFE_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/** Keys that could reach an object's prototype are always dropped. */
export const isUnsafeKey = (key: string): boolean => UNSAFE_KEYS.has(key)

/** The digits of a whole number that a double can't hold exactly; null for all other numbers. */
export function bigDigits(node: NumberNode): string | null {
  return /^-?\d{16,}$/.test(node.raw) && !Number.isSafeInteger(node.value) ? node.raw : null
}

/** The digits of numbers as written, by the object or list that contains them and their key or index there. */
export type WrittenNumbers = WeakMap<object, Map<string | number, string>>

/** The value of a node: null-prototype objects without prototype keys; the last of equal keys wins. */
export function nodeValue(node: JsonNode, onDropped?: (key: string) => void, written?: WrittenNumbers): JsonValue {
  const note = (container: object, place: string | number, child: JsonNode) => {
    if (child.kind !== 'number' || child.written === String(child.value)) return
    const digits = written?.get(container) ?? new Map<string | number, string>()
    digits.set(place, child.written)
    written?.set(container, digits)
  }
  switch (node.kind) {
    case 'object': {
      const object: Record<string, JsonValue> = Object.create(null)
      for (const { key, node: child } of node.entries) {
        if (isUnsafeKey(key)) {
          onDropped?.(key)
          continue
        }
        object[key] = nodeValue(child, onDropped, written)
        written?.get(object)?.delete(key)
        note(object, key, child)
      }
      return object
    }
    case 'array': {
      const list = node.items.map((item) => nodeValue(item, onDropped, written))
      for (const [i, item] of node.items.entries()) note(list, i, item)
      return list
    }
    case 'number':
      return bigDigits(node) ?? node.value
    case 'string':
    case 'literal':
      return node.value
  }
}

/** The last entry whose key is in `keys`. */
export function entryNamed(node: ObjectNode, keys: readonly string[]): Entry | null {
  for (let i = node.entries.length - 1; i >= 0; i--) {
    const entry = node.entries[i]
    if (entry && keys.includes(entry.key)) return entry
  }
  return null
}
