import { expect, test } from 'vitest'
import { pageModules } from './page-modules.mjs'

const { first, all, comesWith, packages } = await pageModules()
const firstPaths = first.map(([path]) => path)

test('the list is that of the chat: what is there at once, and apart what comes when it is needed', () => {
  expect(firstPaths).toContain('components/composer/composer.tsx')
  expect(firstPaths).not.toContain('components/thread/thread.tsx')
  expect(all).toContain('components/thread/thread.tsx')
})

// A bundler keeps all that anyone in the page uses of a package: one import of the large form, and everyone has it.
test('the page checks with zod’s small form, in whatever part', () => {
  expect(all.some((path) => path.includes('/zod/v4/mini/'))).toBe(true)
  expect(all.filter((path) => path.includes('/zod/v4/classic/'))).toEqual([])
})

test('nothing of the first load checks anything: schemas come with the tools', () => {
  expect(firstPaths.filter((path) => path.includes('/zod/'))).toEqual([])
})

test('assistant-ui is not in the first load: it comes with the thread', () => {
  expect(firstPaths.filter((path) => path.includes('/@assistant-ui/'))).toEqual([])
  expect(comesWith('components/thread/thread.tsx').some((path) => path.includes('/@assistant-ui/'))).toBe(true)
})

test('links of the page are ours', () => {
  expect(all).toContain('components/ui/page/page-link.tsx')
  expect(packages).toContain('next/navigation')
  expect(packages).not.toContain('next/link')
})

const reads = (path: string) =>
  /^lib\/protocols\/(?!types|prompt|reasoning)[^/]+\//.test(path) || path === 'lib/protocols/registry.ts'

test('nothing of the first load reads replies: readers and call formats come with them', () => {
  expect(firstPaths.filter(reads)).toEqual([])
  expect(comesWith('components/thread/reply-row.tsx').some(reads)).toBe(true)
})

// They are a third of everything that a chat is made of. Each of these loads with the first sign of someone, or right after it.
test.each([
  'components/thread/thread.tsx',
  'components/commands/command-layer.tsx',
  'components/context-window/context-meter.tsx',
  'components/files/attach-area.tsx',
  'components/composer/use-note.tsx',
  'components/presets/preset-starters.tsx',
  'components/presets/new-chat-menu.tsx',
  'components/chat/announcer.ts',
  'components/conversations/title-editor.tsx',
])('%s brings neither readers nor tools along: they wait for a message', (part) => {
  const paths = comesWith(part)
  expect(paths).toContain(part)
  expect(
    paths.filter((path) => reads(path) || path === 'lib/shared/tools/built-in-registry.ts' || path.includes('/zod/')),
  ).toEqual([])
})

test('the first screen marks what does not show, also letters in the name of a model that pass for others', () => {
  expect(firstPaths).toContain('lib/base/untrusted-text/marks-but-twins.ts')
  expect(firstPaths).toContain('lib/base/untrusted-text/look-alikes.ts')
})
