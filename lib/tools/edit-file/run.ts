import { normalizePath } from '@/lib/vfs/path'
import { describeBinary } from '../describe-binary'
import { inTurn } from '../in-turn'
import { toolTold } from '@/lib/words/tool-told'
import { refuse, stoppedBeforeItBegan } from '../refuse'
import type { ToolContext, ToolOutcome } from '../tool'
import { failWith } from '../vfs-failure'
import { applyEdits, type TextEdit } from './apply-edits'
import { helpForModel, problemForModel } from './problem-words'

/** Apart from the definition, so that a page which only shows the call does not load it. */
export async function runEdit(
  { path, edits }: { readonly path: string; readonly edits: readonly TextEdit[] },
  { vfs, signal }: ToolContext<'write'>,
): Promise<ToolOutcome> {
  const normal = normalizePath(path)
  if (!normal.ok) return failWith(normal.error, vfs, 'file')
  const shown = normal.value
  return inTurn(vfs, async () => {
    const read = await vfs.read(shown)
    if (!read.ok) return failWith(read.error, vfs, 'file')
    const binary = describeBinary(read.value)
    if (binary !== null) return refuse('binary', toolTold('told.edit-binary', { path: shown, ...binary }))
    // The byte order mark is a part of the file and stays in it.
    const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(read.value)
    const edited = applyEdits(before, edits)
    if (!edited.ok) {
      const { error } = edited
      return refuse(error.kind, problemForModel(error, edits.length, shown), helpForModel(error))
    }
    const { text, lines } = edited.value
    if (!text.isWellFormed()) {
      return refuse('EINVAL', toolTold('told.edit-pair'))
    }
    if (signal.aborted) return stoppedBeforeItBegan()
    const written = await vfs.write(shown, new TextEncoder().encode(text))
    if (!written.ok) return failWith(written.error, vfs, 'file')
    return { ok: true, result: { path: shown, edits: edits.length, lines, size: written.value.size } }
  })
}
