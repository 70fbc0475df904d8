import { beforeAll, describe, expect, test } from 'vitest'
import { vfsContract } from '@/lib/vfs/vfs.contract'
import { vfsHistoryContract } from '@/lib/vfs/vfs-history.contract'
import { fileCases } from '../../scripts/browser-suite/file-cases.mjs'
import { pythonCases } from '../../scripts/browser-suite/python-cases.mjs'
import { runBrowserSuite } from '../../scripts/browser-suite/run.mjs'
import { sandboxCases } from '../../scripts/browser-suite/sandbox-cases.mjs'
import { sideCases } from '../../scripts/browser-suite/side-cases.mjs'
import { showCases } from '../../scripts/browser-suite/show-cases.mjs'
import { snippets } from '../../scripts/node-snippets/snippets.mjs'

// One Chromium runs all of it; each case is a test here. Without a Chromium every one of them fails, with the way out.

interface CaseResult {
  readonly suite: string
  readonly name: string
  readonly error: string | null
}

const contractNames = [...vfsContract, ...vfsHistoryContract].map((each) => each.name)
const results = new Map<string, CaseResult>()

beforeAll(async () => {
  await runBrowserSuite({
    contractNames,
    report: (result: CaseResult) => void results.set(`${result.suite}: ${result.name}`, result),
  })
}, 360_000)

const errorOf = (key: string): string | null => {
  const result = results.get(key)
  return result === undefined ? `the case did not run: ${key}` : result.error
}

describe('the sandbox, in a real browser', () => {
  test.each([...sandboxCases, ...pythonCases, ...sideCases].map((each: { readonly name: string }) => each.name))(
    '%s',
    (name) => {
      expect(errorOf(`sandbox: ${name}`)).toBeNull()
    },
  )
})

describe('code for Node, in a real browser', () => {
  test.each(snippets.map((each: { readonly name: string }) => each.name))('%s', (name) => {
    expect(errorOf(`node: ${name}`)).toBeNull()
  })
})

describe('the frame that shows displayed HTML, in a real browser', () => {
  test.each(showCases.map((each: { readonly name: string }) => each.name))('%s', (name) => {
    expect(errorOf(`show: ${name}`)).toBeNull()
  })
})

describe('the files of a conversation, in a real browser', () => {
  test.each([...contractNames, ...fileCases.map((each: { readonly name: string }) => each.name)])('%s', (name) => {
    expect(errorOf(`files: ${name}`)).toBeNull()
  })
})
