import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { testFiles } from './test/test-files.mjs'

/** A path of the host alone: `page.goto('/c/1')`. */
const fromTheRoot = /\b(?:goto|fetch|request\.\w+|waitForURL)\(\s*['"`]\//

it('journeys use the server’s own address, so that they can run under a base path', async () => {
  const { e2e: files } = await testFiles()
  expect(files.length).toBeGreaterThan(40)
  expect(files.filter((file) => fromTheRoot.test(readFileSync(file, 'utf8')))).toEqual([])
})

it.each([
  ["await page.goto('/')", true],
  ['await page.request.post(`/api/conversations`, { data })', true],
  ['await page.goto(`${appUrl}/lab`)', false],
  ['await page.goto(appUrl)', false],
])('%s: %s', (line, isOne) => expect(fromTheRoot.test(line)).toBe(isOne))
