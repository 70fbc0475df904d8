import { isDeepEqual } from './node-util'
import { inspect } from './inspect'
import type { Callable } from './node-error'

class AssertionError extends Error {
  readonly code = 'ERR_ASSERTION'
  readonly generatedMessage: boolean
  readonly actual: unknown
  readonly expected: unknown
  readonly operator: string
  constructor({
    message,
    actual,
    expected,
    operator = 'fail',
  }: {
    message?: string | undefined
    actual?: unknown
    expected?: unknown
    operator?: string
  }) {
    super(message ?? `${inspect(actual)} ${operator} ${inspect(expected)}`)
    this.name = 'AssertionError'
    this.generatedMessage = message === undefined
    this.actual = actual
    this.expected = expected
    this.operator = operator
  }
}

type Message = string | Error | undefined

function hold(
  isTrue: boolean,
  facts: { message: Message; standard: string; actual: unknown; expected: unknown; operator: string },
): void {
  if (isTrue) return
  const { message, standard, ...rest } = facts
  if (message instanceof Error) throw message
  throw new AssertionError({ message: message ?? standard, ...rest })
}

const compare =
  (operator: string, standard: (a: unknown, b: unknown) => string, isTrue: (a: unknown, b: unknown) => boolean) =>
  (actual: unknown, expected: unknown, message?: Message) =>
    hold(isTrue(actual, expected), { message, standard: standard(actual, expected), actual, expected, operator })

const ok = (value?: unknown, message?: Message): void =>
  hold(Boolean(value), {
    message,
    standard: 'The expression evaluated to a falsy value',
    actual: value,
    expected: true,
    operator: '==',
  })

const differ = (a: unknown, b: unknown) => `Expected values to be strictly equal:\n\n${inspect(a)} !== ${inspect(b)}\n`
const deeplyDiffer = (a: unknown, b: unknown) =>
  `Expected values to be strictly deep-equal:\n\n${inspect(a)}\n\nshould equal\n\n${inspect(b)}`
const loosely = (operator: string) => (a: unknown, b: unknown) => `${inspect(a)} ${operator} ${inspect(b)}`

/** Whether the thrown value matches the expectation: a class, a pattern, a function, or fields. */
function isExpected(thrown: unknown, expected: unknown): boolean {
  if (expected === undefined || typeof expected === 'string') return true
  if (expected instanceof RegExp) return expected.test(String(thrown))
  if (typeof expected === 'function') {
    const { prototype } = expected as { prototype?: unknown }
    if (prototype !== undefined && thrown instanceof (expected as unknown as ErrorConstructor)) return true
    if (Object.prototype.isPrototypeOf.call(Error, expected)) return false
    return (expected as Callable)(thrown) === true
  }
  return Object.entries(expected as object).every(([key, value]) => {
    const given = (thrown as Readonly<Record<string, unknown>>)[key]
    return value instanceof RegExp && typeof given === 'string' ? value.test(given) : isDeepEqual(given, value)
  })
}

const missing = (what: string, message: Message) =>
  new AssertionError({ message: typeof message === 'string' ? message : `Missing expected ${what}.`, operator: what })

function throws(run: () => unknown, expected?: unknown, message?: Message): void {
  try {
    run()
  } catch (thrown) {
    if (!isExpected(thrown, expected)) throw thrown
    return
  }
  throw missing('exception', typeof expected === 'string' ? expected : message)
}

async function rejects(
  work: Promise<unknown> | (() => Promise<unknown>),
  expected?: unknown,
  message?: Message,
): Promise<void> {
  try {
    await (typeof work === 'function' ? work() : work)
  } catch (thrown) {
    if (!isExpected(thrown, expected)) throw thrown
    return
  }
  throw missing('rejection', typeof expected === 'string' ? expected : message)
}

const strict = {
  ok,
  equal: compare('strictEqual', differ, Object.is),
  strictEqual: compare('strictEqual', differ, Object.is),
  notEqual: compare('notStrictEqual', loosely('notStrictEqual'), (a, b) => !Object.is(a, b)),
  notStrictEqual: compare('notStrictEqual', loosely('notStrictEqual'), (a, b) => !Object.is(a, b)),
  deepEqual: compare('deepStrictEqual', deeplyDiffer, (a, b) => isDeepEqual(a, b)),
  deepStrictEqual: compare('deepStrictEqual', deeplyDiffer, (a, b) => isDeepEqual(a, b)),
  notDeepEqual: compare('notDeepStrictEqual', loosely('notDeepStrictEqual'), (a, b) => !isDeepEqual(a, b)),
  notDeepStrictEqual: compare('notDeepStrictEqual', loosely('notDeepStrictEqual'), (a, b) => !isDeepEqual(a, b)),
  match: (text: string, pattern: RegExp, message?: Message) =>
    hold(pattern.test(text), {
      message,
      standard: `The input did not match the regular expression ${String(pattern)}. Input:\n\n${inspect(text)}\n`,
      actual: text,
      expected: pattern,
      operator: 'match',
    }),
  doesNotMatch: (text: string, pattern: RegExp, message?: Message) =>
    hold(!pattern.test(text), {
      message,
      standard: `The input was expected to not match the regular expression ${String(pattern)}. Input:\n\n${inspect(text)}\n`,
      actual: text,
      expected: pattern,
      operator: 'doesNotMatch',
    }),
  throws,
  rejects,
  doesNotThrow: (run: () => unknown) => void run(),
  doesNotReject: async (work: Promise<unknown> | (() => Promise<unknown>)) =>
    void (await (typeof work === 'function' ? work() : work)),
  fail: (message?: Message) =>
    hold(false, { message, standard: 'Failed', actual: undefined, expected: undefined, operator: 'fail' }),
  ifError: (value: unknown) => {
    if (value !== null && value !== undefined)
      throw value instanceof Error
        ? value
        : new AssertionError({ message: `ifError got unwanted exception: ${inspect(value)}` })
  },
  AssertionError,
}

const strictAssert = Object.assign((value?: unknown, message?: Message) => ok(value, message), strict)

// eslint-disable-next-line eqeqeq -- `assert.equal` is the loose one
const isLooselyEqual = (a: unknown, b: unknown) => a == b || (a !== a && b !== b)

/** `require('assert')`: a function; `equal` and `deepEqual` compare loosely, those of `strict` do not. */
export const assert = Object.assign((value?: unknown, message?: Message) => ok(value, message), {
  ...strict,
  equal: compare('==', loosely('=='), isLooselyEqual),
  notEqual: compare('!=', loosely('!='), (a, b) => !isLooselyEqual(a, b)),
  strict: Object.assign(strictAssert, { strict: strictAssert }),
})
