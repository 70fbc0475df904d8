import { nextResultFile } from '@/lib/calls/result-draft'
import type { Vfs } from '@/lib/vfs/vfs'
import { t } from '@/lib/i18n/t'

const FOLDER = '/.nod/results'

/** Writes a result into the conversation's files under the next free number; never over another one. */
export async function keepResult(
  vfs: Vfs,
  text: string,
): Promise<{ readonly path: string } | { readonly problem: string }> {
  const listed = await vfs.list(FOLDER)
  const path = nextResultFile(listed.ok ? listed.value.map((entry) => entry.name) : [])
  const written = await vfs.write(path, new TextEncoder().encode(text))
  if (!written.ok) return { problem: t('gate.no-file', { why: written.error.message }) }
  return { path }
}
