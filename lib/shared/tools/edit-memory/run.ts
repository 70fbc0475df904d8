import { err, ok, type Result } from '@/lib/base/result'
import { makeModelMessage } from '@/lib/i18n/t'
import { mostMemoryChars, type MemoryKind } from '@/lib/shared/conversation/settings/project'
import { refuse } from '../refuse'
import type { MemoryPort, ToolOutcome } from '../tool'

/** What a call changes. Left out, or undefined: not given. */
export interface MemoryEdit {
  readonly add?: string | undefined
  readonly search?: string | undefined
  readonly replace?: string | undefined
}

type MemoryTrouble = 'nothing' | 'missing' | 'often' | 'same' | 'long'

/** The text after the edit, or why it can't be made. */
export function editedMemory(before: string, { add, search, replace }: MemoryEdit): Result<string, MemoryTrouble> {
  let after = before
  if (search !== undefined) {
    const at = before.indexOf(search)
    if (at < 0) return err('missing')
    if (before.indexOf(search, at + 1) >= 0) return err('often')
    after = before.slice(0, at) + (replace ?? '') + before.slice(at + search.length)
  }
  if (add !== undefined && add.trim() !== '') {
    const begin = after.trimEnd()
    after = `${begin}${begin === '' ? '' : '\n'}${add.trim()}\n`
  } else if (search === undefined) {
    return err('nothing')
  }
  if (after === before) return err('same')
  return after.length > mostMemoryChars ? err('long') : ok(after)
}

/** Changes the current memory; the executor has checked that it equals the one on the card. */
export async function runEditMemory(kind: MemoryKind, edit: MemoryEdit, memory: MemoryPort): Promise<ToolOutcome> {
  const now = await memory.read(kind)
  if (!now.ok) return refuse('memory-failed', makeModelMessage('told.memory-failed', { why: now.error }))
  const edited = editedMemory(now.value.text, edit)
  if (!edited.ok) {
    return refuse(
      `memory-${edited.error}`,
      makeModelMessage('told.memory-edit', { why: edited.error, most: mostMemoryChars }),
    )
  }
  const written = await memory.write(kind, { text: edited.value, version: now.value.version })
  if (!written.ok) return refuse('memory-failed', makeModelMessage('told.memory-failed', { why: written.error }))
  return { ok: true, result: { memory: kind, characters: edited.value.length } }
}
