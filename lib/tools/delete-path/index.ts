import { plural } from '@/lib/base/locale'
import { loadPart } from '@/lib/base/load-part'
import * as z from 'zod/mini'
import { formatBytes } from '@/lib/base/format-bytes'
import { normalizePath } from '@/lib/vfs/path'
import { isJsonObject } from '@/lib/base/json'
import { bytesIn } from '../measure-words'
import { defineTool } from '../define-tool'
import { pathArgument } from '../path-argument'
import type { CallSummary, CurrentItem } from '../tool'

const isRoot = (path: string): boolean => {
  const normal = normalizePath(path)
  return normal.ok && normal.value === '/'
}

/** How much would go, as the rest of the sentence; '' when it is not known. */
function extentOf(path: string, current: CurrentItem | null | undefined): string {
  if (isRoot(path)) return '. The root folder can’t be deleted, so this would fail'
  if (current === undefined) return ''
  if (current === null) return '. There is nothing of that name, so this would fail'
  const size = formatBytes(current.size)
  if (current.files === undefined) return `, a file of ${size}`
  if (current.files === 0) return ', a folder without files'
  return `, ${plural(current.files, { one: '1 file', other: `${current.files} files` })}, ${size}`
}

/** What would go: the text of a file, the list of a folder. */
function bodyOf(path: string, current: CurrentItem | null | undefined): CallSummary['body'] {
  if (current === null || current === undefined) return { kind: 'none' }
  if (current.files !== undefined) {
    return {
      kind: 'paths',
      label: 'Files that would go',
      gone: true,
      entries: current.inside ?? [],
      total: current.files,
    }
  }
  return current.text === null || current.text === ''
    ? { kind: 'none' }
    : { kind: 'diff', path, before: current.text, after: '', whole: false }
}

export const deletePath = defineTool({
  name: 'delete_path',
  description: 'Deletes a file, or a folder with all that is in it, from this chat’s files.',
  icon: 'trash',
  permission: 'sensitive',
  agentCallable: true,
  tags: ['files'],
  vcpCommand: 'DeleteFile',
  vcpParameters: { filePath: 'path' },
  capabilities: { files: 'write', network: 'off' },
  schema: z.strictObject({ path: z.string().check(z.describe('absolute path of the file or folder')) }),
  paths: pathArgument,
  showsFirst: 'change',
  summarize(args, look) {
    const path = typeof args.path === 'string' ? args.path : ''
    const current = isRoot(path) ? undefined : look?.(path)
    return {
      head: path,
      headIsCode: true,
      sentence: ['Delete ', { code: path }, extentOf(path, current)],
      dependsOn: [path],
      body: bodyOf(path, current),
    }
  },
  measure: (result) => (isJsonObject(result) ? bytesIn(result['deleted'] ?? null, 'bytes') : ''),
  async run(args, context) {
    const { runDelete } = await loadPart(() => import('./run'))
    return runDelete(args, context)
  },
})
