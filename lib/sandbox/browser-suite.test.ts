import { beforeAll, describe, expect, test } from 'vitest'
import { vfsContract } from '@/lib/vfs/vfs.contract'
import { vfsHistoryContract } from '@/lib/vfs/vfs-history.contract'
import { snippets } from '@/scripts/node-snippets/snippets.mjs'
import { fileCases } from './testing/browser-suite/file-cases'
import { packageCases } from './testing/browser-suite/package-cases'
import { pythonCases } from './testing/browser-suite/python-cases'
import { runBrowserSuite, type CaseResult } from './testing/browser-suite/run'
import { sandboxCases } from './testing/browser-suite/sandbox-cases'
import { sideCases } from './testing/browser-suite/side-cases'
import { showCases } from './testing/browser-suite/show-cases'

// One Chromium runs all of it; each case is a test here. Without a Chromium all of them fail, with a message that says
// what to do.

const contractNames = [...vfsContract, ...vfsHistoryContract].map((each) => each.name)
const results = new Map<string, CaseResult>()

beforeAll(async () => {
  await runBrowserSuite({
    contractNames,
    report: (result) => void results.set(`${result.suite}: ${result.name}`, result),
  })
}, 540_000)

const errorOf = (key: string): string | null => {
  const result = results.get(key)
  return result === undefined ? `the case did not run: ${key}` : result.error
}

describe('the sandbox, in a real browser', () => {
  test.each([...sandboxCases, ...pythonCases, ...packageCases, ...sideCases].map((each) => each.name))('%s', (name) => {
    expect(errorOf(`sandbox: ${name}`)).toBeNull()
  })
})

describe('code for Node, in a real browser', () => {
  test.each(snippets.map((each) => each.name))('%s', (name) => {
    expect(errorOf(`node: ${name}`)).toBeNull()
  })
})

describe('the frame that shows displayed HTML, in a real browser', () => {
  test.each(showCases.map((each) => each.name))('%s', (name) => {
    expect(errorOf(`show: ${name}`)).toBeNull()
  })
})

describe('the files of a conversation, in a real browser', () => {
  test.each([...contractNames, ...fileCases.map((each) => each.name)])('%s', (name) => {
    expect(errorOf(`files: ${name}`)).toBeNull()
  })
})
