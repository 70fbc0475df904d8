import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test, vi } from 'vitest'
import { inTurn, isAlive } from './in-turn.mjs'

const moduleUrl = (name: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, name)).href)
const folder = () => mkdtempSync(join(tmpdir(), 'nod-run-'))

const startScript = (code: string) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  return { child, firstLine: async () => String(((await once(child.stdout, 'data')) as [Buffer])[0]).trim() }
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('what a script runs ends with it on %s', async (signal) => {
  const { child, firstLine } = startScript(
    `const { runQuiet } = await import(${moduleUrl('run.mjs')})
     await runQuiet('node', ['-e', 'setInterval(() => {}, 1000)'], { onStart: (pid) => console.log(pid) })`,
  )
  const pid = Number(await firstLine())
  expect(isAlive(pid)).toBe(true)
  child.kill(signal)
  await once(child, 'exit')
  expect(child.signalCode).toBe(signal)
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 })
})

test('a second script waits for the first, and for what it left behind', async () => {
  const file = join(folder(), 'build.pid')
  const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  const { child, firstLine } = startScript(
    `const { inTurn } = await import(${moduleUrl('in-turn.mjs')})
     await inTurn(${JSON.stringify(file)}, () => {}, async (add) => {
       add(${left.pid})
       console.log('begun')
       await new Promise((resolve) => setTimeout(resolve, 60_000))
     })`,
  )
  await firstLine()
  const told: (readonly number[])[] = []
  let isDone = false
  const second = inTurn(
    file,
    (pids) => void told.push(pids),
    async () => {
      isDone = true
      return readFileSync(file, 'utf8')
    },
  )
  await vi.waitFor(() => expect(told).toEqual([[child.pid, left.pid]]), { timeout: 10_000 })
  child.kill('SIGKILL')
  await once(child, 'exit')
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  expect(isDone).toBe(false)
  left.kill('SIGKILL')
  expect(await second).toBe(`${process.pid}\n`)
  expect(existsSync(file)).toBe(false)
})

test('a file that a killed script left behind stops nobody', async () => {
  const file = join(folder(), 'build.pid')
  const gone = spawn(process.execPath, ['-e', ''])
  await once(gone, 'exit')
  writeFileSync(file, `${gone.pid}\n`)
  expect(
    await inTurn(
      file,
      () => expect.unreachable(),
      () => Promise.resolve('built'),
    ),
  ).toBe('built')
})
