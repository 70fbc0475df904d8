import { customInspect, inspect } from './inspect'
import type { Callable } from './node-error'

export const customPromisify: unique symbol = Symbol.for('nodejs.util.promisify.custom') as never

function promisify(run: Callable & { readonly [customPromisify]?: Callable }): Callable {
  const own = run[customPromisify]
  if (typeof own === 'function') return own
  return function (this: unknown, ...values) {
    return new Promise((resolve, reject) => {
      run.call(this, ...values, (error: unknown, value: unknown) => (error ? reject(error as Error) : resolve(value)))
    })
  }
}

const callbackify =
  (run: (...values: unknown[]) => Promise<unknown>): Callable =>
  (...values) => {
    const done = values.at(-1) as Callable
    const answer = (...given: unknown[]) => queueMicrotask(() => void done(...given))
    void run(...values.slice(0, -1)).then((value) => answer(null, value), answer)
  }

const terminalColours = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*[A-Za-z]`, 'g')

/** Formats like `console.log`: `%s` and the like are filled, and the rest is appended with spaces. */
export function format(...values: unknown[]): string {
  const [first, ...rest] = values
  if (typeof first !== 'string')
    return values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' ')
  if (rest.length === 0) return first
  const filled = first.replace(/%[sdifjoOc%]/g, (mark) => {
    if (mark === '%%') return '%'
    if (rest.length === 0) return mark
    const value = rest.shift()
    switch (mark) {
      case '%s':
        return typeof value === 'string'
          ? value
          : typeof value === 'object' && value !== null
            ? inspect(value, { depth: 0 })
            : inspect(value)
      case '%d':
        return typeof value === 'bigint' ? `${value}n` : typeof value === 'symbol' ? 'NaN' : inspect(Number(value))
      case '%i':
        return typeof value === 'bigint' ? `${value}n` : inspect(Number.parseInt(String(value), 10))
      case '%f':
        return inspect(Number.parseFloat(String(value)))
      case '%j':
        return JSON.stringify(value) ?? 'undefined'
      case '%c':
        return ''
      default:
        return inspect(value, { depth: 4 })
    }
  })
  return [filled, ...rest.map((value) => (typeof value === 'string' ? value : inspect(value)))].join(' ')
}

const isA =
  (kind: abstract new (...values: never[]) => unknown): ((value: unknown) => boolean) =>
  (value) =>
    value instanceof kind

const types = {
  isDate: isA(Date),
  isRegExp: isA(RegExp),
  isMap: isA(Map),
  isSet: isA(Set),
  isPromise: isA(Promise),
  isNativeError: isA(Error),
  isTypedArray: (value: unknown) => ArrayBuffer.isView(value) && !(value instanceof DataView),
  isUint8Array: isA(Uint8Array),
  isArrayBuffer: isA(ArrayBuffer),
  isAnyArrayBuffer: isA(ArrayBuffer),
  isAsyncFunction: (value: unknown) => typeof value === 'function' && value.constructor.name === 'AsyncFunction',
  isGeneratorFunction: (value: unknown) =>
    typeof value === 'function' && value.constructor.name === 'GeneratorFunction',
}

export const util = {
  promisify: Object.assign(promisify, { custom: customPromisify }),
  callbackify,
  inspect: Object.assign(inspect, { custom: customInspect, defaultOptions: {} }),
  format,
  types,
  isDeepStrictEqual: (a: unknown, b: unknown) => isDeepEqual(a, b),
  inherits: (child: { prototype: object }, parent: { prototype: object }) => {
    Object.assign(child, { super_: parent })
    Object.setPrototypeOf(child.prototype, parent.prototype)
  },
  deprecate: (run: Callable) => run,
  stripVTControlCharacters: (text: string) => text.replace(terminalColours, ''),
  styleText: (_style: unknown, text: string) => text,
  isArray: Array.isArray,
  TextEncoder,
  TextDecoder,
}

/** Equal in type, in parts and, where relevant, in their order, like `assert.deepStrictEqual`. */
export function isDeepEqual(a: unknown, b: unknown, seen: readonly (readonly [unknown, unknown])[] = []): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false
  if (seen.some(([x, y]) => x === a && y === b)) return true
  const below = [...seen, [a, b] as const]
  const same = (x: unknown, y: unknown) => isDeepEqual(x, y, below)
  if (a instanceof Date && b instanceof Date) return Object.is(a.getTime(), b.getTime())
  if (a instanceof RegExp && b instanceof RegExp) return String(a) === String(b)
  if (a instanceof Error && b instanceof Error && (a.message !== b.message || a.name !== b.name)) return false
  if (a instanceof Map && b instanceof Map)
    return (
      a.size === b.size &&
      [...a].every(([key, value]) =>
        b.has(key) ? same(value, b.get(key)) : [...b].some((other) => same([key, value], other)),
      )
    )
  if (a instanceof Set && b instanceof Set)
    return a.size === b.size && [...a].every((value) => b.has(value) || [...b].some((other) => same(value, other)))
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) {
    const [x, y] = [a as Uint8Array, b as Uint8Array]
    return x.length === y.length && Array.prototype.every.call(x, (value, at) => Object.is(value, y[at]))
  }
  if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) return false
  const keys = (of: object) => Reflect.ownKeys(of).filter((key) => Object.prototype.propertyIsEnumerable.call(of, key))
  const mine = keys(a)
  if (mine.length !== keys(b).length) return false
  return mine.every(
    (key) =>
      Object.hasOwn(b, key) && same((a as Record<PropertyKey, unknown>)[key], (b as Record<PropertyKey, unknown>)[key]),
  )
}
