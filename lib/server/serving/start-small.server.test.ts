import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('a process that starts small keeps the new space small, and lets it grow under later load', async () => {
  const tsx = createRequire(import.meta.url).resolve('tsx/cli')
  const script = fileURLToPath(new URL('./testing/new-space.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [tsx, script])
  const { held, free } = JSON.parse(stdout) as { readonly held: number; readonly free: number }
  expect(held).toBeLessThanOrEqual(8_000_000)
  expect(free).toBeGreaterThan(held)
})
