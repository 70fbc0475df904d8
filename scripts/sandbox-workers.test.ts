import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { buildSandboxFiles, sandboxTargets } from './build-sandbox.mjs'

const textOf = async (file: string): Promise<string> => (await buildSandboxFiles({ only: file }))[file] ?? ''

it('bundles no browser-page files into a worker, which has no document', async () => {
  const workers = (await sandboxTargets()).map(({ file }) => file).filter((file) => file.startsWith('public/workers/'))
  expect(workers.length).toBeGreaterThan(4)
  const texts = await Promise.all(workers.map(async (file) => [file, await textOf(file)] as const))
  expect(
    texts.filter(([, text]) => /\bdocument\.(?:createElement|body|querySelector)/.test(text)).map(([file]) => file),
  ).toEqual([])
})

it('parses Markdown in a worker as in the page, including named characters', async () => {
  const script = [
    'globalThis.self = globalThis; globalThis.postMessage = (tree) => console.log(JSON.stringify(tree))',
    await textOf('public/workers/markdown.js'),
    "self.onmessage({ data: '- [x] bread &amp; milk' })",
  ]
  const done = spawnSync(process.execPath, ['--input-type=module', '-'], { input: script.join('\n'), encoding: 'utf8' })
  expect(done.stderr).toBe('')
  expect(JSON.parse(done.stdout)).toMatchObject({
    children: [{ type: 'list', children: [{ checked: true, children: [{ children: [{ value: 'bread & milk' }] }] }] }],
  })
})
