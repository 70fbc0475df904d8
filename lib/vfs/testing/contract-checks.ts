import type { VfsResult, VfsErrorCode } from '@/lib/vfs/vfs-result'

// Checks for the contract suites, without a test runner, so that they also run inside a real browser's page.

export const bytes = (text: string) => new TextEncoder().encode(text)

export function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message)
}

export function same(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)]
  check(a === b, `${what}: expected ${b}, got ${a}`)
}

export function valueOf<T>(result: VfsResult<T>, what: string): T {
  check(result.ok, `${what}: ${result.ok ? '' : result.error.message}`)
  return result.value
}

export function failsWith(result: VfsResult<unknown>, code: VfsErrorCode, what: string): void {
  check(!result.ok, `${what}: expected ${code}, but it worked`)
  same(result.error.code, code, what)
  // On the page, a path is enclosed in direction marks.
  check(/^\u2068?[A-Z/].*[.]$/u.test(result.error.message), `${what}: no sentence: ${result.error.message}`)
}
