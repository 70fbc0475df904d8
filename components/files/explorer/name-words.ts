import { quoted } from '@/lib/base/foreign-text/foreign-text'

/** A name inside of a sentence of ours: quoted and cut, so that it never goes on in our voice. */
export const named = (path: string): string => quoted(path, 80)

export const many = (count: number, one: string) => (count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${one}s`)

/** "/a.md" or "3 items". */
export const namedOr = (paths: readonly string[]): string => {
  const [first] = paths
  return paths.length === 1 && first !== undefined ? named(first) : many(paths.length, 'item')
}
