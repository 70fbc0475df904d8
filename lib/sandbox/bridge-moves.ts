import { isInside } from '@/lib/vfs/path'
import type { FileChange, Vfs } from '@/lib/vfs/vfs'
import { answerOf, bad, failed, good, nothing } from './bridge-answers'
import type { Answer } from './frame/protocol'

/*
 * Operations from one path to another, as Node's fs knows them. Paths are normalised. Each is one step for the files:
 * whoever looks meanwhile, and a run that is stopped, finds all of it or nothing.
 */

/** As in Node, a file takes the place of another one. */
export const rename = async (vfs: Vfs, from: string, to: string): Promise<Answer> =>
  answerOf(await vfs.move(from, to), nothing)

/** Flags: `new` fails where something is, `keep` leaves it as it is. */
export async function copyFile(vfs: Vfs, from: string, to: string, flags: string): Promise<Answer> {
  const read = await vfs.read(from)
  if (!read.ok) return failed(read.error)
  const there = await vfs.stat(to)
  if (there.ok && flags.includes('new')) return bad('EEXIST', `There is already something at ${to}.`)
  if (there.ok && (from === to || flags.includes('keep'))) return good()
  return answerOf(await vfs.write(to, read.value), nothing)
}

/** Flags: `recursive` for folders, whose files join those that are there already; `keep` leaves those as they are. */
export async function copyTree(vfs: Vfs, from: string, to: string, flags: string): Promise<Answer> {
  const source = await vfs.stat(from)
  if (!source.ok) return failed(source.error)
  const isFolder = source.value.kind === 'directory'
  if (isFolder && !flags.includes('recursive')) {
    return bad('ERR_FS_EISDIR', `${from} is a folder. Use { recursive: true } to copy it with all it holds.`)
  }
  if (from === to) return bad('ERR_FS_CP_EINVAL', `${from} can’t be copied to itself.`)
  if (!isFolder) return copyFile(vfs, from, to, flags)
  if (isInside(to, from)) return bad('ERR_FS_CP_EINVAL', `${from} can’t be copied into itself, to ${to}.`)
  const tree = await vfs.tree(from)
  if (!tree.ok) return failed(tree.error)
  const there = flags.includes('keep') ? await vfs.tree(to) : null
  const kept = new Set(there?.ok === true ? there.value.map(({ path }) => path) : [])
  const steps: FileChange[] = [{ kind: 'makeDirectory', path: to }]
  for (const { kind, path } of tree.value) {
    const target = (to === '/' ? '' : to) + path.slice(from.length)
    if (kept.has(target)) continue
    if (kind === 'directory') steps.push({ kind: 'makeDirectory', path: target })
    else {
      const read = await vfs.read(path)
      if (!read.ok) return failed(read.error)
      steps.push({ kind: 'write', path: target, data: read.value })
    }
  }
  return answerOf(await vfs.apply(steps), nothing)
}
