import { joinPath } from '@/lib/vfs/path'
import type { FileChange, Vfs } from '@/lib/vfs/vfs'
import type { UnpackedChat } from './unpack-chat'

/** Puts the files of an imported chat where they were, all or none. Gives a sentence when they have no room, else null. */
export async function placeImported(
  vfs: Vfs,
  { files, folders }: Pick<UnpackedChat, 'files' | 'folders'>,
): Promise<string | null> {
  const steps: FileChange[] = [
    ...folders.map((path): FileChange => ({ kind: 'makeDirectory', path: joinPath('/', path) })),
    ...files.map(({ path, data }): FileChange => ({ kind: 'write', path: joinPath('/', path), data })),
  ]
  if (steps.length === 0) return null
  const done = await vfs.apply(steps)
  return done.ok ? null : done.error.message
}
