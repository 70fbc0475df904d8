import { readdirSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

const folder = import.meta.dirname

it('lists every bench of the folder, and refuses any other name', () => {
  const files = readdirSync(folder).filter((file) => /^[\w-]+\.(ts|mjs)$/.test(file) && !file.startsWith('run.'))
  const names = files.map((file) => file.replace(/\.\w+$/, '')).toSorted()
  const asked = (name: string[]) => spawnSync(process.execPath, [`${folder}/run.mjs`, ...name], { encoding: 'utf8' })
  const { status, stderr } = asked([])
  expect(status).toBe(2)
  expect([...stderr.matchAll(/^ {2}([\w-]+) /gm)].map(([, name]) => name)).toEqual(names)
  expect(asked(['nothing']).stderr).toMatch(/^There is no bench "nothing"/)
})
