import { spawn, type ChildProcess } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { openWorker } from './testing/worker'
import { freePorts } from '@/scripts/setup/free-ports.mjs'

// The server that docs/using/mcp.md tells people to write, as a program of its own and as a page sees it.

const folder = path.resolve('.cache', 'own-server-recipe')
let program: ChildProcess | null = null
afterEach(async () => {
  program?.kill()
  await rm(folder, { recursive: true, force: true })
})

it('the server of the docs lets this app in, and its tool is listed and called', async () => {
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(await readFile('docs/using/mcp.md', 'utf8')) ?? []
  const port = await freePorts(24_000, 1)
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'dice.mjs'), code.replace('port: 3333', `port: ${port}`))
  program = spawn(process.execPath, [path.join(folder, 'dice.mjs')], { stdio: 'inherit' })
  const url = `http://localhost:${port}/`
  await expect
    .poll(
      () =>
        fetch(url, { method: 'OPTIONS' }).then(
          ({ ok }) => ok,
          () => false,
        ),
      { timeout: 30_000 },
    )
    .toBe(true)

  const allowed =
    (await fetch(url, { method: 'OPTIONS' })).headers.get('access-control-allow-headers')?.split(', ') ?? []
  const sent = new Set<string>()
  /** As a browser, which sends no header that the server does not allow. */
  const remote = openWorker(url, async (input, init) => {
    for (const name of new Headers(init?.headers).keys()) if (name !== 'accept') sent.add(name)
    const response = await fetch(input, init)
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
    return response
  })
  expect(await remote.connect(url, 'auto')).toMatchObject({ ok: true, value: { era: 'modern', name: 'dice' } })
  expect(await remote.list()).toMatchObject({ ok: true, value: [{ name: 'roll' }] })
  const signal = new AbortController().signal
  const request = { name: 'roll', args: { sides: 2 }, timeoutMs: 20_000 }
  const answer = await remote.call(request, { signal, onProgress: () => {} })
  expect(answer).toMatchObject({ kind: 'answered', result: { content: [{ text: expect.stringMatching(/^[12]$/) }] } })
  expect([...sent].filter((name) => !allowed.includes(name))).toEqual([])
})
