import type { CompiledCode } from './compile-code'

/** How much of a value to show. */
export interface FormatLimits {
  readonly depth: number
  readonly items: number
  readonly characters: number
}

export const defaultFormatLimits: FormatLimits = { depth: 4, items: 100, characters: 8_192 }

const width = 76
const isIdentifier = /^[A-Za-z_$][\w$]*$/

const quote = (text: string) => JSON.stringify(text)

const keyOf = (key: PropertyKey) =>
  typeof key === 'symbol' ? `[${String(key)}]` : isIdentifier.test(String(key)) ? String(key) : quote(String(key))

function classNameOf(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null) return 'null prototype'
  const { constructor } = prototype as { constructor?: unknown }
  return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'Object'
}

function* mapLazily<T>(items: Iterable<T>, format: (item: T) => string): Generator<string> {
  for (const item of items) yield format(item)
}

/** One line if it is short, else one line per item. */
function wrap(prefix: string, open: string, items: readonly string[], close: string): string {
  if (items.length === 0) return `${prefix}${open}${close}`
  const line = items.join(', ')
  const pad = open === '{' ? ' ' : ''
  if (line.length <= width && !line.includes('\n')) return `${prefix}${open}${pad}${line}${pad}${close}`
  return `${prefix}${open}\n${items.map((item) => `  ${item.replaceAll('\n', '\n  ')}`).join(',\n')}\n${close}`
}

function formatFunction(value: { readonly name: unknown }): string {
  const name = typeof value.name === 'string' ? value.name : ''
  const isClass = Function.prototype.toString.call(value).startsWith('class')
  return `[${isClass ? 'class' : 'Function'}${name === '' ? ' (anonymous)' : ` ${name}`}]`
}

/**
 * A value as a console shows it: `{ a: 1, b: [ … ] }`. Text is unquoted at the top level and quoted inside. Never
 * throws, whatever getters, proxies or cycles the value contains. It may run the value's own code, so use it only where
 * that code runs anyway.
 */
export function formatValue(value: unknown, limits: FormatLimits = defaultFormatLimits): string {
  const budget = { left: limits.characters * 2 }
  const path = new Set<object>()

  function list(prefix: string, length: number, at: (index: number) => string): string {
    const items: string[] = []
    for (let index = 0; index < Math.min(length, limits.items) && budget.left > 0; index++) items.push(at(index))
    if (items.length < length) items.push(`… ${length - items.length} more`)
    return wrap(prefix, '[', items, ']')
  }

  function entries(prefix: string, pairs: Iterable<string>, size: number): string {
    const items: string[] = []
    for (const pair of pairs) {
      if (items.length >= limits.items || budget.left <= 0) break
      items.push(pair)
    }
    if (items.length < size) items.push(`… ${size - items.length} more`)
    return wrap(prefix, '{', items, '}')
  }

  function formatObject(object: object, depth: number): string {
    if (object instanceof Error) return typeof object.stack === 'string' ? object.stack : String(object)
    if (object instanceof Date) return Number.isNaN(object.getTime()) ? 'Invalid Date' : object.toISOString()
    if (object instanceof RegExp) return String(object)
    if (object instanceof Promise) return 'Promise { … }'
    if (object instanceof ArrayBuffer) return `ArrayBuffer(${object.byteLength})`
    if (object instanceof WeakMap || object instanceof WeakSet) return `${classNameOf(object)} { … }`
    if (depth > limits.depth) return Array.isArray(object) ? '[ … ]' : `{ … }`
    const inner = (item: unknown) => format(item, depth + 1)
    if (Array.isArray(object))
      return list('', object.length, (index) => (index in object ? inner(object[index]) : 'empty'))
    if (ArrayBuffer.isView(object) && !(object instanceof DataView)) {
      const view = object as Uint8Array
      return list(`${classNameOf(view)}(${view.length}) `, view.length, (index) => String(view[index]))
    }
    if (object instanceof Map) {
      const pairs = mapLazily(object, ([key, item]) => `${inner(key)} => ${inner(item)}`)
      return entries(`Map(${object.size}) `, pairs, object.size)
    }
    if (object instanceof Set) return entries(`Set(${object.size}) `, mapLazily(object, inner), object.size)
    const name = classNameOf(object)
    const keys = Reflect.ownKeys(object).filter((key) => Object.prototype.propertyIsEnumerable.call(object, key))
    const pairs = mapLazily(keys, (key) => {
      const property = Object.getOwnPropertyDescriptor(object, key)
      if (property?.get !== undefined) return `${keyOf(key)}: [Getter]`
      return `${keyOf(key)}: ${inner((object as Record<PropertyKey, unknown>)[key])}`
    })
    return entries(name === 'Object' ? '' : `${name} `, pairs, keys.length)
  }

  function format(item: unknown, depth: number): string {
    if (budget.left <= 0) return '…'
    const text = formatOne(item, depth)
    budget.left -= text.length > 200 ? 200 : text.length
    return text
  }

  function formatOne(item: unknown, depth: number): string {
    try {
      if (typeof item === 'string') return depth === 0 ? item : quote(item.slice(0, limits.characters))
      if (typeof item === 'bigint') return `${item}n`
      if (typeof item === 'symbol') return String(item)
      if (Object.is(item, -0)) return '-0'
      if (typeof item === 'function') return formatFunction(item)
      if (typeof item !== 'object' || item === null) return String(item)
      if (path.has(item)) return '[Circular]'
      path.add(item)
      try {
        return formatObject(item, depth)
      } finally {
        path.delete(item)
      }
    } catch {
      return '[unprintable]'
    }
  }

  const text = format(value, 0)
  return text.length > limits.characters
    ? `${text.slice(0, limits.characters)}… (cut, ${text.length} characters)`
    : text
}

/** Values with more parts than this are not walked: they are shown as text. */
const maxParts = 200_000
const maxDepth = 100

/**
 * True if JSON can represent the whole value: nothing would silently turn into null or vanish, except undefined fields.
 */
export function fitsJson(value: unknown): boolean {
  let parts = 0
  const walk = (item: unknown, depth: number): boolean => {
    if (++parts > maxParts || depth > maxDepth) return false
    if (item === null || typeof item === 'string' || typeof item === 'boolean') return true
    if (typeof item === 'number') return Number.isFinite(item)
    if (typeof item !== 'object') return false
    if (item instanceof Date) return !Number.isNaN(item.getTime())
    if (Array.isArray(item)) return item.every((each) => walk(each, depth + 1))
    const prototype: unknown = Object.getPrototypeOf(item)
    if (prototype !== Object.prototype && prototype !== null) return false
    return Object.values(item).every((each) => each === undefined || walk(each, depth + 1))
  }
  try {
    return walk(value, 0)
  } catch {
    return false
  }
}

/** A run's value as text: JSON if JSON can represent it and it is not too long, else as a console would show it. */
export function runValueText(value: unknown, characters: number): { readonly text: string; readonly isJson: boolean } {
  if (fitsJson(value)) {
    try {
      const text = JSON.stringify(value)
      if (typeof text === 'string' && text.length <= characters) return { text, isJson: true }
      if (typeof value === 'string') return { text: cut(value, characters), isJson: false }
      if (typeof text === 'string') return { text: cut(text, characters), isJson: false }
    } catch {
      // The value's own toJSON threw: show it as text.
    }
  }
  return { text: formatValue(value, { depth: 6, items: 1_000, characters }), isJson: false }
}

const cut = (text: string, characters: number) =>
  `${text.slice(0, characters)}… (cut: ${text.length} characters in all)`

/** The name of the user's code in the engine's stack traces; files that it imports are `nod-file:///path`. */
export const codeName = 'nod-code.js'

export interface CodeLocation {
  readonly line: number
  readonly column: number
}

/** The number of lines that the engine's wrapper adds above the code, read from a probe's stack rather than assumed. */
export const wrapperLines = (probeStack: string): number => {
  const place = framesOf(probeStack)[0]
  return place === undefined ? 0 : place.line - 1
}

interface Frame extends CodeLocation {
  readonly name: string
  /** The path of an imported file; null: the code itself. */
  readonly path: string | null
}

/** The frames of a stack that are in the user's code or files, with the engine's line numbers. */
function framesOf(stack: string): readonly Frame[] {
  return stack.split('\n').flatMap((frame) => {
    const at = /(?:nod-code\.js|nod-file:\/\/(\/[^\s:]*)):(\d+):(\d+)/.exec(frame)
    if (at === null) return []
    const name = /^\s*at (?:async )?(?:new )?([^\s(]+) \(/.exec(frame)?.[1] ?? ''
    return [{ line: Number(at[2]), column: Number(at[3]), name, path: at[1] === undefined ? null : decodeURI(at[1]) }]
  })
}

/** The position in the code as the user wrote it. */
export function locateInCode(place: CodeLocation, offset: number, shift: CompiledCode['shift']): CodeLocation {
  const line = place.line - offset
  const isShifted = shift !== null && line === shift.line && place.column >= shift.column + shift.by
  return { line, column: isShifted ? place.column - shift.by : place.column }
}

const wrapperNames = new Set(['anonymous', 'eval', 'Object.anonymous', 'Object.eval'])

export interface FrameContext {
  /** Number of wrapper lines above the code. */
  readonly offset: number
  readonly shift: CompiledCode['shift']
  /** The code was rewritten for its imports or types: line numbers are correct, columns are not. */
  readonly linesOnly?: boolean
}

/** Lines like `  at inner (line 3, column 7)` for the user's own frames of a stack, outermost last. */
function describeFrames(stack: string, { offset, shift, linesOnly = false }: FrameContext, most = 6): string[] {
  return framesOf(stack)
    .map((frame) => ({ ...frame, ...locateInCode(frame, offset, shift) }))
    .filter(({ line }) => line > 0)
    .slice(0, most)
    .map(({ name, path, line, column }) => {
      const inLine =
        path !== null ? `${path} line ${line}` : linesOnly ? `line ${line}` : `line ${line}, column ${column}`
      return name === '' || wrapperNames.has(name) ? `  at ${inLine}` : `  at ${name} (${inLine})`
    })
}

interface ThrownContext extends FrameContext {
  /** Where a SyntaxError points, if the engine reports it. */
  readonly syntaxPlace?: CodeLocation | null
  /** Number of lines of the code: an error after them is in the wrapper, and means that something is not closed. */
  readonly lines?: number
}

const maxLength = 8_000

function describeError(error: Error, context: ThrownContext): string {
  const name = typeof error.name === 'string' ? error.name : 'Error'
  const message = typeof error.message === 'string' ? error.message : ''
  const lines = [message === '' ? name : `${name}: ${message}`]
  const { offset, shift, syntaxPlace, lines: last = Infinity } = context
  if (syntaxPlace != null) {
    const { line, column } = locateInCode(syntaxPlace, offset, shift)
    if (line > last) lines.push(`  at the end, line ${last}: something before it is not closed`)
    else if (line > 0) lines.push(`  at line ${line}${context.linesOnly === true ? '' : `, column ${column}`}`)
  } else if (typeof error.stack === 'string') {
    lines.push(...describeFrames(error.stack, context))
  }
  if (error.cause instanceof Error)
    lines.push(`Caused by ${describeError(error.cause, { ...context, syntaxPlace: null })}`)
  return lines.join('\n')
}

/** Describes a thrown value, with its position in the user's code. Never throws, whatever was thrown. */
export function describeThrown(thrown: unknown, context: ThrownContext): string {
  try {
    const text = thrown instanceof Error ? describeError(thrown, context) : `Thrown: ${formatValue(thrown)}`
    return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
  } catch {
    return 'Something was thrown that can’t be described.'
  }
}
