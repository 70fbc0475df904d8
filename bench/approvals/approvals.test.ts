import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { approvalsOf, approvalsPage, effectsOfTask } from './count'
import { tasks } from './tasks'

it('counts by what the calls do: a task that deletes exceeds the approval offered after it', async () => {
  const waits = new Map<string, number>()
  for (const task of tasks) {
    const deletes = (await effectsOfTask(task)).some(({ change }) => change === 'deleted')
    const { grant, beginsOnCopy } = await approvalsOf(task)
    waits.set(task.name, beginsOnCopy - grant)
    expect([task.name, beginsOnCopy - grant]).toEqual([task.name, deletes ? 0 : 1])
  }
  expect([...waits.values()].filter((one) => one === 0)).toHaveLength(1)
})

it('the docs page contains these counts', async () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/generated/bench-approvals.md'), 'utf8')
  expect(page.trim()).toBe((await approvalsPage(tasks)).trim())
})
