import { readFileSync } from 'node:fs'
import path from 'node:path'
import { globSync } from 'tinyglobby'

/**
 * Signs that a test file changes shared state: a document, mocked modules, spies and stubs, time, the process, or
 * module-level state.
 */
const marks =
  /vitest-environment|\bvi\.(?!waitFor|fn)|\bprocess\.(?!pid|hrtime|memoryUsage|execPath|platform)|\bglobalThis\b|\bset(?!Timeout|Interval|Immediate|Up\(|Hash|Header|Uint)[A-Z]\w*\(|\bforget\w*\(/

/**
 * Test files that can share a process, so that their imports load once instead of five hundred times: nothing in them
 * outlasts them.
 */
export function sharedTestFiles(root: string, patterns: readonly string[]): readonly string[] {
  return globSync([...patterns], { cwd: root })
    .filter((file) => !marks.test(readFileSync(path.join(root, file), 'utf8')))
    .toSorted()
}

/** Test files that need a DOM: their first line says so. */
export const pageTestFiles = (root: string, patterns: readonly string[]): readonly string[] =>
  globSync([...patterns], { cwd: root })
    .filter((file) => /^\/\/ @vitest-environment jsdom$/m.test(readFileSync(path.join(root, file), 'utf8')))
    .toSorted()
