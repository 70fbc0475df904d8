import { newOwner, runLoad } from './load'
import { usedCpuUs } from './used-cpu'

// A separate process: asked over IPC, it creates owners or puts a load on the server, and reports its measurements.

type Task =
  | { readonly task: 'cpu' }
  | { readonly task: 'owners'; readonly base: string; readonly count: number }
  | ({ readonly task: 'load' } & Parameters<typeof runLoad>[0])

async function answer(task: Task): Promise<unknown> {
  if (task.task === 'cpu') return usedCpuUs()
  if (task.task === 'load') return runLoad(task)
  const owners: string[] = []
  for (let n = 0; n < task.count; n += 1) owners.push(await newOwner(task.base))
  return owners
}

process.on('message', (task: Task) => void answer(task).then((found) => process.send?.(found)))
