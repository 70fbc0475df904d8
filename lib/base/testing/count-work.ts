type Method = (this: unknown, ...given: readonly unknown[]) => unknown

/** What a string method costs, by the text that it looks at, what it gives, and its arguments. */
type Cost = (text: string, result: unknown, given: readonly unknown[]) => number

const lengthOf = (text: unknown): number => (typeof text === 'string' ? text.length : 0)

const costs: Readonly<Record<string, Cost>> = {
  indexOf: (text, at, [, from]) =>
    (Number(at) < 0 ? text.length : Number(at)) - Math.min(Number(from ?? 0), text.length) + 1,
  // A long slice is a view; only what is then read of it is work.
  slice: (_, part) => Math.min(lengthOf(part), 16) + 1,
  startsWith: (_, __, [part]) => lengthOf(part),
  toLowerCase: (text) => text.length,
  trim: (text, trimmed) => text.length - lengthOf(trimmed) + 1,
}

/** Methods of lists that call a function with each element. */
const walks = ['every', 'some', 'find', 'findIndex', 'findLast', 'filter', 'map', 'flatMap', 'forEach']

/**
 * Counts the characters that a function looks at through string methods and expressions, and the elements that it walks
 * over through methods of lists: what it does, the same on every machine. Only for synchronous functions; the methods
 * are put back afterwards. Two sizes compared say how work grows with the input.
 */
export function countWork(run: () => void): number {
  const counter = startCounting()
  try {
    return counter.count(run)
  } finally {
    counter.stop()
  }
}

/**
 * The same for many functions: each replacement of a method makes the engine drop what it has compiled, so that tests with
 * hundreds of counts start once and stop at their end.
 */
export function startCounting(): { readonly count: (run: () => void) => number; readonly stop: () => void } {
  let work = 0
  const undo: (() => void)[] = []
  const replace = (owner: object, name: string, make: (original: Method) => Method): void => {
    const original = Reflect.get(owner, name) as Method
    undo.push(() => void Reflect.set(owner, name, original))
    Reflect.set(owner, name, make(original))
  }
  // By far the most calls: without a list of arguments for each.
  replace(String.prototype, 'charCodeAt', (original) => {
    return function counted(this: unknown, at) {
      work += 1
      return original.call(this, at)
    }
  })
  for (const [name, cost] of Object.entries(costs)) {
    replace(String.prototype, name, (original) => {
      return function counted(this: unknown, ...given) {
        const result = Reflect.apply(original, this, given)
        work += cost(String(this), result, given)
        return result
      }
    })
  }
  replace(RegExp.prototype, 'exec', (original) => {
    return function counted(this: unknown, ...given) {
      const found = Reflect.apply(original, this, given)
      work += (Array.isArray(found) ? lengthOf(found[0]) : 0) + 1
      return found
    }
  })
  for (const name of walks) {
    replace(Array.prototype, name, (original) => {
      return function counted(this: unknown, each, ...given) {
        const step: Method = function step(this: unknown, ...element) {
          work += 1
          return Reflect.apply(each as Method, this, element)
        }
        return Reflect.apply(original, this, [step, ...given])
      }
    })
  }
  return {
    count: (run) => {
      work = 0
      run()
      return work
    },
    stop: () => {
      for (const back of undo) back()
    },
  }
}
