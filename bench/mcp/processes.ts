import { readdirSync, readFileSync } from 'node:fs'

/** Running programs that this process started. */
export const childrenOf = (pid = process.pid): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return Number(parent) === pid ? [Number(name)] : []
      } catch {
        return []
      }
    })

/** A process's private memory, and all memory that it uses, MB. */
export function memoryOf(pid: number): { readonly own: number; readonly resident: number } {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const kb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
  return { own: (kb('Private_Clean') + kb('Private_Dirty')) / 1_000, resident: kb('Rss') / 1_000 }
}
