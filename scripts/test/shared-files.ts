import { readFileSync } from 'node:fs'
import path from 'node:path'
import { globSync } from 'tinyglobby'

/**
 * Signs that a test file leaves something behind that vitest.setup.ts does not remove after each file: mocked modules,
 * changes of the process or its environment, globals, module-level state of ours, or what listens to every server of the
 * process. A comment that begins with “In its own process” says so, too.
 */
const marks = [
  /^\/\/ (?:@vitest-environment node|In its own process)/m,
  /\bvi\.(?:doMock|hoisted|resetModules)\b/,
  /\bprocess\.(?:on|once|off|emit|exit|exitCode|send|connected|chdir|kill)\b/,
  /\bprocess\.env(?:\[[^\]]*\]|\.\w+)\s*=(?!=)|\bdelete process\b|\(process(?:\.env)?, '/,
  /(?<!typeof )\bglobalThis(?:\[[^\]]*\]|\.\w+)\s*=(?!=)|\b(?:set|assign|defineProperty|deleteProperty)\(globalThis\b/,
  /\b(?:Element|Range)\.prototype(?:\.\w+ = |, (?:\{|'\w+', \{))/,
  /\bset(?:Language|LogSink)\(|\bforget(?:Names|Databases)\(|\b(?:recordPeerAddresses|watchRequests)\(/,
]

/**
 * Signs that a test file of the server changes state that later files of its process would find: spies and stubs,
 * time, the process, or module-level state.
 */
const serverMarks =
  /\bvi\.(?!waitFor|fn)|\bprocess\.(?!pid|hrtime|memoryUsage|execPath|platform)|\bglobalThis\b|\bset(?!Timeout|Interval|Immediate|Up\(|Hash|Header|Uint)[A-Z]\w*\(|\bforget\w*\(/

const pageMark = '// @vitest-environment jsdom'

/** As many files with the same mocks are worth a project. */
const MIN_GROUP = 5

/** Test files that can share a process, so that their imports load once instead of once per file. */
export interface SharedFiles {
  readonly node: readonly string[]
  /** Those of the page: they share a document, too. */
  readonly page: readonly string[]
  /** Those of the page that mock the same modules in the same way; one group for each way. */
  readonly mocked: readonly (readonly string[])[]
}

/** The statements that mock modules; null if one of them has several lines. */
function mocksOf(text: string): string | null {
  const statements = text.match(/^vi\.mock\(.*\)$/gm) ?? []
  return statements.length === (text.match(/\bvi\.mock\(/g) ?? []).length ? statements.toSorted().join('\n') : null
}

export function sharedTestFiles(root: string, patterns: readonly string[]): SharedFiles {
  const files = globSync([...patterns], { cwd: root })
    .toSorted()
    .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }))
    .filter(({ text }) => !marks.some((mark) => mark.test(text)))
    .filter(({ text }) => text.startsWith(pageMark) || !serverMarks.test(text))
    .map(({ file, text }) => ({ file, mocks: mocksOf(text), isOfPage: text.startsWith(pageMark) }))
  const named = (ofPage: boolean, mocks: string) =>
    files.filter((each) => each.isOfPage === ofPage && each.mocks === mocks).map(({ file }) => file)
  const ways = new Set(files.flatMap(({ mocks }) => (mocks === null || mocks === '' ? [] : [mocks])))
  return {
    node: named(false, ''),
    page: named(true, ''),
    mocked: [...ways].map((way) => named(true, way)).filter((group) => group.length >= MIN_GROUP),
  }
}
