import { expect, test } from 'vitest'
import { pageModules } from './page-modules.mjs'

const { first, all, comesWith, packages } = await pageModules()
const firstPaths = first.map(([path]) => path)

test('lists the chat’s modules: those of the first load, and separately those loaded on demand', () => {
  expect(firstPaths).toContain('components/composer/composer.tsx')
  expect(firstPaths).not.toContain('components/thread/thread.tsx')
  expect(all).toContain('components/thread/thread.tsx')
})

// A bundler keeps everything that the page uses of a package: one import of the large form adds it for all.
test('the page validates with zod’s small form, in every part', () => {
  expect(all.some((path) => path.includes('/zod/v4/mini/'))).toBe(true)
  expect(all.filter((path) => path.includes('/zod/v4/classic/'))).toEqual([])
})

test('the first load validates nothing: schemas load with the tools', () => {
  expect(firstPaths.filter((path) => path.includes('/zod/'))).toEqual([])
})

test('assistant-ui is not in the first load: it loads with the thread', () => {
  expect(firstPaths.filter((path) => path.includes('/@assistant-ui/'))).toEqual([])
  expect(comesWith('components/thread/thread.tsx').some((path) => path.includes('/@assistant-ui/'))).toBe(true)
})

test('links of the page use our component', () => {
  expect(all).toContain('components/ui/page/page-head.tsx')
  expect(packages).toContain('next/navigation')
  expect(packages).not.toContain('next/link')
})

const reads = (path: string) =>
  /^lib\/protocols\/(?!types|prompt|reasoning)[^/]+\//.test(path) || path === 'lib/protocols/registry.ts'

test('the first load parses no replies: parsers and call formats load with them', () => {
  expect(firstPaths.filter(reads)).toEqual([])
  expect(comesWith('components/thread/reply-row.tsx').some(reads)).toBe(true)
})

// They are a third of all code of a chat. Each of these loads on the first user interaction, or right after it.
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
])('%s loads neither parsers nor tools: they wait for a message', (part) => {
  const paths = comesWith(part)
  expect(paths).toContain(part)
  expect(
    paths.filter((path) => reads(path) || path === 'lib/shared/tools/built-in-registry.ts' || path.includes('/zod/')),
  ).toEqual([])
})

test('the first screen marks invisible characters, and look-alike letters in a model’s name', () => {
  expect(firstPaths).toContain('lib/base/untrusted-text/marks-but-twins.ts')
  expect(firstPaths).toContain('lib/base/untrusted-text/look-alikes.ts')
})
