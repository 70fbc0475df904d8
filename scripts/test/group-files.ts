import { readFileSync } from 'node:fs'
import path from 'node:path'
import { globSync } from 'tinyglobby'

/**
 * Signs that a test file changes shared state: a document, mocked modules, spies and stubs, time, the process, or
 * module-level state.
 */
const marks =
  /vitest-environment|\bvi\.(?!waitFor|fn)|\bprocess\.(?!pid|hrtime|memoryUsage|execPath|platform)|\bglobalThis\b|\bset(?!Timeout|Interval|Immediate|Up\(|Hash|Header|Uint)[A-Z]\w*\(|\bforget\w*\(/

const PAGE = '// @vitest-environment jsdom\n'

export interface GroupedFiles {
  /** They need a DOM, which their first line says. */
  readonly pages: string[]
  /**
   * They can share a process, so that their imports load once instead of five hundred times: nothing in them outlasts
   * them.
   */
  readonly shared: string[]
}

/** The test files that do not need a process each. */
export function groupTestFiles(root: string, patterns: readonly string[]): GroupedFiles {
  const files = globSync([...patterns], { cwd: root })
    .toSorted()
    .map((name) => ({ name, text: readFileSync(path.join(root, name), 'utf8') }))
  const namesOf = (isIn: (text: string) => boolean) => files.flatMap(({ name, text }) => (isIn(text) ? [name] : []))
  return { pages: namesOf((text) => text.startsWith(PAGE)), shared: namesOf((text) => !marks.test(text)) }
}
