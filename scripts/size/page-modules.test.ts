import { expect, test } from 'vitest'
import { pageModules } from './page-modules.mjs'

const { first, all, packages } = await pageModules()
const firstPaths = first.map(([path]) => path)

test('the list is that of the chat: what stands there at once, and apart what comes when it is needed', () => {
  expect(firstPaths).toContain('components/composer/composer.tsx')
  expect(firstPaths).not.toContain('components/thread/thread.tsx')
  expect(all).toContain('components/thread/thread.tsx')
})

// A bundler keeps all that anybody in the page uses of a package: one import of the large form, and everybody has it.
test('the page checks with zod’s small form, in whatever part', () => {
  expect(all.some((path) => path.includes('/zod/v4/mini/'))).toBe(true)
  expect(all.filter((path) => path.includes('/zod/v4/classic/'))).toEqual([])
})

test('nothing of the first load checks anything: schemas come with the tools', () => {
  expect(firstPaths.filter((path) => path.includes('/zod/'))).toEqual([])
})

test('links of the page are ours', () => {
  expect(firstPaths).toContain('components/ui/page-link.tsx')
  expect(packages).toContain('next/navigation')
  expect(packages).not.toContain('next/link')
})

test('nothing of the first load reads replies: readers and call formats come with the messages', () => {
  expect(
    firstPaths.filter((path) => /^lib\/strategies\/[^/]+\//.test(path) || path === 'lib/strategies/registry.ts'),
  ).toEqual([])
})
