type Method = (this: unknown, ...given: readonly unknown[]) => unknown

const lengthOf = (text: unknown): number => (typeof text === 'string' ? text.length : 0)

/** Array methods that call a function with each element. */
const walks = ['every', 'some', 'find', 'findIndex', 'findLast', 'filter', 'map', 'flatMap', 'forEach']

/**
 * Counts the characters that a function reads through string methods and regular expressions, and the elements that it
 * visits through array methods. The result is the same on every machine. Only for synchronous functions; the methods
 * are restored afterwards. Comparing two input sizes shows how the work grows.
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
 * Counts for many functions. Each replaced method makes the engine drop its compiled code, so tests with hundreds of
 * counts start once and stop at their end.
 */
export function startCounting(): { readonly count: (run: () => void) => number; readonly stop: () => void } {
  let work = 0
  const undo: (() => void)[] = []
  const replace = (owner: object, name: string, make: (original: Method) => Method): void => {
    const original = Reflect.get(owner, name) as Method
    undo.push(() => void Reflect.set(owner, name, original))
    Reflect.set(owner, name, make(original))
  }
  // Called millions of times, so none of these allocates an array for its arguments.
  const replaceCosts = (
    owner: object,
    name: string,
    cost: (text: unknown, result: unknown, a: unknown, b: unknown) => number,
  ) =>
    replace(owner, name, (original) => {
      return function counted(this: unknown, a, b) {
        const result = original.call(this, a, b)
        work += cost(this, result, a, b)
        return result
      }
    })
  replaceCosts(String.prototype, 'charCodeAt', () => 1)
  replaceCosts(String.prototype, 'indexOf', (text, at, _, from) => {
    const length = lengthOf(text)
    return (Number(at) < 0 ? length : Number(at)) - Math.min(Number(from ?? 0), length) + 1
  })
  // A long slice is a view; only reading it costs work.
  replaceCosts(String.prototype, 'slice', (_, part) => Math.min(lengthOf(part), 16) + 1)
  replaceCosts(String.prototype, 'startsWith', (_, __, part) => lengthOf(part))
  replaceCosts(String.prototype, 'toLowerCase', lengthOf)
  replaceCosts(String.prototype, 'trim', (text, trimmed) => lengthOf(text) - lengthOf(trimmed) + 1)
  replaceCosts(RegExp.prototype, 'exec', (_, found) => (Array.isArray(found) ? lengthOf(found[0]) : 0) + 1)
  for (const name of walks) {
    replace(Array.prototype, name, (original) => {
      return function counted(this: unknown, each, ...given) {
        const step: Method = function step(this: unknown, one, i, list) {
          work += 1
          return (each as Method).call(this, one, i, list)
        }
        return original.call(this, step, ...given)
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
