import { readFileSync } from 'node:fs'
import path from 'node:path'
import { globSync } from 'tinyglobby'

/**
 * What a test file says where it changes more than what it makes: a document, modules that stand in for others, spies and stubs, time,
 * the process, or what a module keeps for all of the process.
 */
const marks =
  /vitest-environment|\bvi\.(?!waitFor|fn)|\bprocess\.(?!pid|hrtime|memoryUsage|execPath|platform)|\bglobalThis\b|\bset(?!Timeout|Interval|Immediate|Up\(|Hash|Header|Uint)[A-Z]\w*\(|\bforget\w*\(/

/**
 * Test files that can share a process with each other, so that what they import is loaded once and not five hundred times: nothing in
 * them outlasts them.
 */
export function sharedTestFiles(root: string, patterns: readonly string[]): readonly string[] {
  return globSync([...patterns], { cwd: root })
    .filter((file) => !marks.test(readFileSync(path.join(root, file), 'utf8')))
    .toSorted()
}
