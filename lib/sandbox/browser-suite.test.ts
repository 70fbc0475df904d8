import { beforeAll, describe, expect, test } from 'vitest'
import { vfsContract } from '@/lib/vfs/vfs.contract'
import { vfsHistoryContract } from '@/lib/vfs/vfs-history.contract'
import { runBrowserSuite, suiteCases, type CaseResult } from './testing/browser-suite/run'

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
  test.each([...suiteCases.sandbox, ...suiteCases.side].map((each) => each.name))('%s', (name) => {
    expect(errorOf(`sandbox: ${name}`)).toBeNull()
  })
})

describe('code for Node, in a real browser', () => {
  test.each(suiteCases.node.map((each) => each.name))('%s', (name) => {
    expect(errorOf(`node: ${name}`)).toBeNull()
  })
})

describe('the frame that shows displayed HTML, in a real browser', () => {
  test.each(suiteCases.show.map((each) => each.name))('%s', (name) => {
    expect(errorOf(`show: ${name}`)).toBeNull()
  })
})

describe('the files of a conversation, in a real browser', () => {
  test.each([...contractNames, ...suiteCases.files.map((each) => each.name)])('%s', (name) => {
    expect(errorOf(`files: ${name}`)).toBeNull()
  })
})
