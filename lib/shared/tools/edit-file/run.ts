import { encodingLabels } from '@/lib/base/text/encoding-names'
import { decodeText, encodeText } from '@/lib/base/text/text-encoding'
import { normalizePath } from '@/lib/vfs/path'
import { inTurn } from '../offload-result'
import { makeModelMessage } from '@/lib/i18n/t'
import { refuse, stoppedBeforeItBegan, describeBinary, failWith } from '../refuse'
import type { ToolContext, ToolOutcome } from '../tool'
import { applyEdits, type TextEdit, helpForModel, problemForModel } from './apply-edits'

/** Separate from the definition, so that a page which only shows the call does not load it. */
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
    const decoded = decodeText(read.value)
    const binary = decoded === null ? describeBinary(read.value) : null
    if (binary !== null) return refuse('binary', makeModelMessage('told.edit-binary', { path: shown, ...binary }))
    // The byte order mark is a part of the file and stays in it.
    const file = decoded ?? { text: new TextDecoder('utf-8').decode(read.value), encoding: 'utf-8', markBytes: 0 }
    const mark = file.markBytes > 0 ? '\ufeff' : ''
    const before = mark + file.text
    const edited = applyEdits(before, edits)
    if (!edited.ok) {
      const { error } = edited
      return refuse(error.kind, problemForModel(error, edits.length, shown), helpForModel(error))
    }
    const { text, lines } = edited.value
    if (!text.isWellFormed()) {
      return refuse('EINVAL', makeModelMessage('told.edit-pair'))
    }
    if (signal.aborted) return stoppedBeforeItBegan()
    const isMarked = mark !== '' && text.startsWith(mark)
    const { data, encoding } = encodeText(isMarked ? text.slice(1) : text, {
      ...file,
      markBytes: isMarked ? file.markBytes : 0,
    })
    const written = await vfs.write(shown, data)
    if (!written.ok) return failWith(written.error, vfs, 'file')
    const result = { path: shown, edits: edits.length, lines, size: written.value.size }
    if (file.encoding === 'utf-8') return { ok: true, result }
    const label = encodingLabels[file.encoding]
    const note = `The file was ${label}, which can’t hold this text or would be read as another encoding. It is UTF-8 now.`
    return { ok: true, result: { ...result, encoding, ...(encoding !== file.encoding && { note }) } }
  })
}
